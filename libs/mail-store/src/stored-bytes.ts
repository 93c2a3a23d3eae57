import type { mongo } from 'mongoose';

/** The driver returns bytes as a Buffer or as a Binary, depending on the read. */
export type StoredBytes = Buffer | mongo.Binary;

export function bufferOf(bytes: StoredBytes): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer.subarray(0, bytes.position));
}

/** The largest message that is fetched, stored as it came and forwarded. */
export const LARGEST_MESSAGE = 25 * 1024 * 1024;

/** A database takes 16 megabytes in one document, with all else that is in it. */
const PIECE_BYTES = 12 * 1024 * 1024;

/** Splits bytes that exceed the limit of a document into pieces. The pieces are views of the same bytes. */
export function piecesOf(bytes: Buffer): [first: Buffer, ...others: Buffer[]] {
  const count = Math.max(1, Math.ceil(bytes.length / PIECE_BYTES));
  const pieces = Array.from({ length: count }, (_, at) => bytes.subarray(at * PIECE_BYTES, (at + 1) * PIECE_BYTES));
  return pieces as [Buffer, ...Buffer[]];
}
