import { valueEnd } from '../bson/raw.ts';
import { type Arena, chunkOfRecord } from './arena.ts';
import { type KeyWriter, createKeyWriter, invert, putValue } from '../bson/key.ts';
import type { IdOrder } from './leaf.ts';

export type IdSource = Arena;

const scratch = createKeyWriter(512);

/** Every stored document begins with its `_id`: length (4), type (1), "_id" and a zero (4), value. */
const VALUE = 9;

function writeId(arena: Arena, record: number, descending: boolean): void {
  const bytes = chunkOfRecord(arena, record);
  const start = arena.offsetOf[record] as number;
  const type = bytes[start + 4] as number;
  scratch.length = 0;
  putValue(scratch, type, bytes, start + VALUE, valueEnd(type, bytes, start + VALUE));
  if (descending) invert(scratch.bytes, 0, scratch.length);
}

export function idOrder(arena: Arena, descending: boolean): IdOrder {
  return {
    compare(record, probe, from) {
      writeId(arena, record, descending);
      const { bytes, length } = scratch;
      const rest = probe.length - from;
      const limit = Math.min(length, rest);
      for (let i = 0; i < limit; i += 1) {
        const difference = (bytes[i] as number) - (probe[from + i] as number);
        if (difference !== 0) return difference;
      }
      return length - rest;
    },
    keyOf(record) {
      writeId(arena, record, descending);
      return Buffer.from(scratch.bytes.subarray(0, scratch.length));
    },
  };
}

/** The key of the `_id` of a document that is not stored yet, behind what a writer holds. */
export function putId(key: KeyWriter, document: Buffer, descending: boolean): void {
  const type = document[4] as number;
  const from = key.length;
  putValue(key, type, document, VALUE, valueEnd(type, document, VALUE));
  if (descending) invert(key.bytes, from, key.length);
}

export function idKeyOf(document: Buffer, descending: boolean): Buffer {
  scratch.length = 0;
  putId(scratch, document, descending);
  return Buffer.from(scratch.bytes.subarray(0, scratch.length));
}
