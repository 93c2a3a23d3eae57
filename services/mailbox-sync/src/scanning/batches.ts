interface Sized {
  size: number;
}

/** Batches in order, bounded by count and size. A message over the size goes alone. */
export function batchesOf<M extends Sized>(messages: readonly M[], most: { count: number; bytes: number }): M[][] {
  const batches: M[][] = [];
  let batch: M[] = [];
  let bytes = 0;
  for (const message of messages) {
    if (batch.length > 0 && (batch.length === most.count || bytes + message.size > most.bytes)) {
      batches.push(batch);
      batch = [];
      bytes = 0;
    }
    batch.push(message);
    bytes += message.size;
  }
  return batch.length > 0 ? [...batches, batch] : batches;
}
