const STRING = 0x02;
const DOCUMENT = 0x03;
const ARRAY = 0x04;

/** Reads one document out of the bytes that it begins in. */
export type ReadDocument<R> = (bytes: Buffer, start: number) => R;

/** Reads each document in the `cursor` of a reply. */
export function readBatch<R>(cursor: Uint8Array, read: ReadDocument<R>): R[] {
  const bytes = bytesOf(cursor);
  const batch = valueOf(bytes, 'firstBatch');
  return batch ? readDocuments(bytes, batch.at, read) : [];
}

/** The id of a cursor that the server keeps open. The id of a closed cursor is zero in any type. */
export function openCursorId(cursor: Uint8Array): bigint | null {
  const bytes = bytesOf(cursor);
  const id = valueOf(bytes, 'id');
  if (!id || bytes.subarray(id.at, id.end).every((byte) => byte === 0)) return null;
  return id.end - id.at === 8 ? bytes.readBigInt64LE(id.at) : BigInt(bytes.readInt32LE(id.at));
}

function bytesOf({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

function valueOf(bytes: Buffer, wanted: string): { at: number; end: number } | undefined {
  for (let from = 4; bytes[from] !== 0;) {
    const at = behindKey(bytes, from);
    const end = at + lengthAt(bytes, bytes[from], at);
    if (bytes.toString('latin1', from + 1, at - 1) === wanted) return { at, end };
    from = end;
  }
  return undefined;
}

function readDocuments<R>(bytes: Buffer, start: number, read: ReadDocument<R>): R[] {
  const documents: R[] = [];
  for (let from = start + 4; bytes[from] !== 0;) {
    if (bytes[from] !== DOCUMENT) throw new Error('a batch holds something else than documents');
    const at = behindKey(bytes, from);
    documents.push(read(bytes, at));
    from = at + bytes.readInt32LE(at);
  }
  return documents;
}

// Keys are a few letters, which a loop passes sooner than a search that is a call into the engine.
function behindKey(bytes: Buffer, from: number): number {
  let at = from + 1;
  while (bytes[at] !== 0) if (++at >= bytes.length) throw new Error('a key without an end');
  return at + 1;
}

/** The length of a value, for the few types in a cursor of a server. */
function lengthAt(bytes: Buffer, type: number | undefined, at: number): number {
  if (type === STRING) return 4 + bytes.readInt32LE(at);
  if (type === DOCUMENT || type === ARRAY) return bytes.readInt32LE(at);
  if (type === 0x08) return 1;
  if (type === 0x10) return 4;
  if (type === 0x01 || type === 0x11 || type === 0x12) return 8;
  throw new Error(`a cursor holds a value of type ${type}`);
}
