interface Sized {
  size: number;
}

interface BatchLimits {
  count: number;
  bytes: number;
}

/** Groups items by count and bytes. An item that is larger than a batch goes alone. */
export async function* batches<T extends Sized>(items: AsyncIterable<T>, limits: BatchLimits): AsyncGenerator<T[]> {
  let batch: T[] = [];
  let bytes = 0;
  for await (const item of items) {
    if (batch.length > 0 && bytes + item.size > limits.bytes) {
      yield batch;
      batch = [];
      bytes = 0;
    }
    batch.push(item);
    bytes += item.size;
    if (batch.length >= limits.count) {
      yield batch;
      batch = [];
      bytes = 0;
    }
  }
  if (batch.length > 0) yield batch;
}
