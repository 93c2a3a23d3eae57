import type { SendDocument } from '@postroom/mail-store/documents/send';
import type { mongo } from 'mongoose';

/** The driver wraps the bytes that it reads. */
type Bytes = Buffer | mongo.Binary | null;
export type Stored = (Omit<SendDocument, 'wire' | 'kept'> & { wire: Bytes; kept: Bytes }) | null;

export function withBuffers(stored: Stored): SendDocument | null {
  return stored && { ...stored, wire: bufferOf(stored.wire), kept: bufferOf(stored.kept) };
}

function bufferOf(bytes: Bytes): Buffer | null {
  if (bytes === null || Buffer.isBuffer(bytes)) return bytes;
  return Buffer.from(bytes.buffer.subarray(0, bytes.position));
}
