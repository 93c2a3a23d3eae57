import type { MutableParts } from '../list-projection.ts';

/**
 * The little that a page needs of an email, taken out of its BSON without decoding the rest. All text is UTF-8 bytes
 * read as latin1, one character per byte: ids are letters and digits, and the fragment is only passed on.
 */
export interface RawListItem extends MutableParts {
  id: string;
  /** Milliseconds since the epoch. */
  date: number;
  labelIds: string[];
  rendered: string;
}

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
const HIGH_WORD = 2 ** 32;

/** Writes a value into the item and returns its length. */
type Take = (item: RawListItem, bytes: Buffer, at: number) => number;

const text =
  (name: 'id' | 'folderId' | 'rendered'): Take =>
  (item, bytes, at) => {
    item[name] = textAt(bytes, at);
    return 4 + bytes.readInt32LE(at);
  };
const flag =
  (name: 'isRead' | 'isStarred' | 'waitingForReply'): Take =>
  (item, bytes, at) => {
    item[name] = bytes[at] === 1;
    return 1;
  };
const date: Take = (item, bytes, at) => {
  item.date = bytes.readInt32LE(at + 4) * HIGH_WORD + bytes.readUInt32LE(at);
  return 8;
};
const labelIds: Take = (item, bytes, at) => {
  const length = bytes.readInt32LE(at);
  if (length > 5) item.labelIds = textsAt(bytes, at, at + length - 1);
  return length;
};

interface Field {
  keyLength: number;
  type: number;
  take: Take;
}

// The first and the third letter distinguish the projected fields, so no key has to become a string.
const codeOf = (first: number | undefined, third: number | undefined): number => ((first ?? 0) << 8) | (third ?? 0);
const fields = new Map<number, Field>(
  Object.entries({
    _id: [STRING, text('id')],
    date: [DATE, date],
    folderId: [STRING, text('folderId')],
    isRead: [BOOLEAN, flag('isRead')],
    isStarred: [BOOLEAN, flag('isStarred')],
    waitingForReply: [BOOLEAN, flag('waitingForReply')],
    labelIds: [ARRAY, labelIds],
    rendered: [STRING, text('rendered')],
  } satisfies Record<keyof typeof SHOWN_OF_LIST_ITEM, [number, Take]>).map(([key, [type, take]]) => [
    codeOf(key.charCodeAt(0), key.charCodeAt(2)),
    { keyLength: key.length, type: type as number, take: take as Take },
  ]),
);

export function readListItem(bytes: Buffer, start = 0): RawListItem {
  const item: RawListItem = {
    id: '',
    date: 0,
    folderId: '',
    isRead: false,
    isStarred: false,
    waitingForReply: false,
    labelIds: [],
    rendered: '',
  };
  for (let at = start + 4; bytes[at] !== 0;) {
    const field = fields.get(codeOf(bytes[at + 1], bytes[at + 3]));
    if (!field || field.type !== bytes[at] || bytes[at + 1 + field.keyLength] !== 0) throw new Error('not a list item');
    const value = at + field.keyLength + 2;
    at = value + field.take(item, bytes, value);
  }
  return item;
}

function textAt(bytes: Buffer, at: number): string {
  return bytes.toString('latin1', at + 4, at + 3 + bytes.readInt32LE(at));
}

function textsAt(bytes: Buffer, start: number, end: number): string[] {
  const texts: string[] = [];
  for (let at = start + 4; at < end;) {
    const value = bytes.indexOf(0, at + 1) + 1;
    if (bytes[at] !== STRING || value === 0) throw new Error('not a list item');
    texts.push(textAt(bytes, value));
    at = value + 4 + bytes.readInt32LE(value);
  }
  return texts;
}
