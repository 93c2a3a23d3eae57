import { crc32 } from 'node:zlib';
import { decodePlain, encodeDocument } from '../bson/value.ts';
import type { CatalogChange } from './catalog.ts';
import { describeIndex, parseIndexSpec } from './index-spec.ts';

/** The result of a retryable write, kept so that a repetition after a crash is still recognised. */
export interface SessionEntry {
  kind: 'session';
  id: string;
  txnNumber: bigint;
  statement: number;
  result: Record<string, unknown> | Buffer;
}

export type JournalEntry = CatalogChange | SessionEntry;

/**
 * A frame is length (4), checksum (4), payload: all changes of one iteration of the event loop, so that they are there together or not at all.
 * An entry of the payload is kind (1), length of the namespace (2), namespace, length of the data (4), data.
 */
export const FRAME_HEADER = 8;
const kinds = ['create', 'drop', 'put', 'remove', 'createIndex', 'dropIndex', 'session'] as const;
const nothing = Buffer.alloc(0);

function dataOf(entry: JournalEntry): Buffer {
  switch (entry.kind) {
    case 'put':
      return entry.document;
    case 'remove':
      return entry.id;
    case 'createIndex':
      return encodeDocument(describeIndex(entry.spec));
    case 'dropIndex':
      return Buffer.from(entry.name);
    case 'session': {
      const { id, txnNumber, statement, result } = entry;
      return encodeDocument({ id, txnNumber: txnNumber.toString(), statement, result, raw: Buffer.isBuffer(result) });
    }
    default:
      return nothing;
  }
}

/** An entry in pieces, so that a document is handed to the system from where it lies. */
export function encodeEntry(entry: JournalEntry): Buffer[] {
  const namespace = entry.kind === 'session' ? '' : `${entry.database}.${entry.collection}`;
  const length = Buffer.byteLength(namespace);
  const data = dataOf(entry);
  const head = Buffer.allocUnsafe(7 + length);
  head[0] = kinds.indexOf(entry.kind);
  head.writeUInt16LE(length, 1);
  head.write(namespace, 3);
  head.writeUInt32LE(data.length, 3 + length);
  return [head, data];
}

export function frameHeader(parts: Buffer[]): Buffer {
  const header = Buffer.allocUnsafe(FRAME_HEADER);
  let length = 0;
  let sum = 0;
  for (const part of parts) {
    length += part.length;
    // Once it was written, an empty buffer has no address any more, and of such crc32 says 0 whatever came before it.
    if (part.length > 0) sum = crc32(part, sum);
  }
  header.writeUInt32LE(length, 0);
  header.writeUInt32LE(sum, 4);
  return header;
}

function decodeEntry(kind: string, namespace: string, data: Buffer): JournalEntry {
  const dot = namespace.indexOf('.');
  const where = { database: namespace.slice(0, dot), collection: namespace.slice(dot + 1) };
  switch (kind) {
    case 'put':
      return { ...where, kind, document: data };
    case 'remove':
      return { ...where, kind, id: Buffer.from(data) };
    case 'createIndex':
      return { ...where, kind, spec: parseIndexSpec(data) };
    case 'dropIndex':
      return { ...where, kind, name: data.toString() };
    case 'create':
    case 'drop':
      return { ...where, kind };
    case 'session': {
      const { id, txnNumber, statement, result, raw } = decodePlain(data);
      return { kind, id, statement, txnNumber: BigInt(txnNumber), result: raw ? Buffer.from(result.buffer) : result };
    }
    default:
      throw new Error(`the journal has an entry of an unknown kind ${kind}`);
  }
}

export function* decodeEntries(payload: Buffer): Generator<JournalEntry> {
  for (let at = 0; at < payload.length;) {
    const nameLength = payload.readUInt16LE(at + 1);
    const dataStart = at + 7 + nameLength;
    const dataEnd = dataStart + payload.readUInt32LE(at + 3 + nameLength);
    const namespace = payload.toString('utf8', at + 3, at + 3 + nameLength);
    yield decodeEntry(kinds[payload[at] as number] ?? '?', namespace, payload.subarray(dataStart, dataEnd));
    at = dataEnd;
  }
}
