import type { MutableParts } from './render.ts';

/** The little that a page needs of an email, taken out of its BSON without decoding the rest. */
export interface RawListItem extends MutableParts {
  id: string;
  date: Date;
  labelIds: string[];
  /** The stored fragment's UTF-8 bytes as latin1, one character per byte; the folder's id likewise. */
  rendered: string;
}

/** What goes from the database to the caller as the bytes it is. */
const PASSED_ON = new Set(['rendered', 'folderId']);

/** The projection that goes with it. */
export const SHOWN_OF_LIST_ITEM = {
  _id: 1,
  date: 1,
  folderId: 1,
  isRead: 1,
  isStarred: 1,
  waitingForReply: 1,
  labelIds: 1,
  rendered: 1,
} as const;

const STRING = 0x02;
const ARRAY = 0x04;
const BOOLEAN = 0x08;
const DATE = 0x09;

/** The types that may come, with the length of a value at a place. Anything else is not an email of ours. */
const LENGTHS: Record<number, (bytes: Buffer, at: number) => number> = {
  [STRING]: (bytes, at) => 4 + bytes.readInt32LE(at),
  [ARRAY]: (bytes, at) => bytes.readInt32LE(at),
  [BOOLEAN]: () => 1,
  [DATE]: () => 8,
};

export function readListItem(document: Uint8Array): RawListItem {
  const bytes = Buffer.from(document.buffer, document.byteOffset, document.byteLength);
  const item = {} as Record<string, unknown>;
  eachElement(bytes, 0, (type, key, at) => {
    item[key === '_id' ? 'id' : key] = valueAt(bytes, type, key, at);
  });
  return item as unknown as RawListItem;
}

function valueAt(bytes: Buffer, type: number, key: string, at: number): unknown {
  if (type === BOOLEAN) return bytes[at] === 1;
  if (type === DATE) return new Date(Number(bytes.readBigInt64LE(at)));
  if (type === ARRAY) return stringsAt(bytes, at);
  return stringAt(bytes, at, PASSED_ON.has(key) ? 'latin1' : 'utf8');
}

function stringAt(bytes: Buffer, at: number, encoding: 'latin1' | 'utf8'): string {
  return bytes.toString(encoding, at + 4, at + 3 + bytes.readInt32LE(at));
}

function stringsAt(bytes: Buffer, at: number): string[] {
  const strings: string[] = [];
  eachElement(bytes, at, (_type, _key, from) => strings.push(stringAt(bytes, from, 'utf8')));
  return strings;
}

function eachElement(bytes: Buffer, start: number, visit: (type: number, key: string, at: number) => void): void {
  let at = start + 4;
  for (let type = bytes[at]; type; type = bytes[at]) {
    const end = bytes.indexOf(0, at + 1);
    const lengthOf = LENGTHS[type];
    if (end < 0 || !lengthOf) throw new Error(`a list item holds a value of type ${type}`);
    visit(type, bytes.toString('latin1', at + 1, end), end + 1);
    at = end + 1 + lengthOf(bytes, end + 1);
  }
}
