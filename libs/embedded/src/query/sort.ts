import { Type, elements } from '../bson/raw.ts';
import { toNumber } from '../bson/value.ts';
import { CommandError, badValue } from '../protocol/errors.ts';
import { createKeyWriter, invert, putValue } from '../bson/key.ts';
import { type Path, parsePath, visitPath } from '../filter/path.ts';
import { type Rows, Signal, noDocument } from './rows.ts';

export interface SortField {
  path: Path;
  descending: boolean;
}

export function parseSort(raw: Buffer): SortField[] {
  return elements(raw).map(({ name, value }) => {
    const direction = toNumber(value);
    if (direction !== 1 && direction !== -1)
      throw new CommandError(15975, `$sort key ordering must be 1 (for ascending) or -1 (for descending): ${name}`);
    if (name.startsWith('$')) throw badValue(`FieldPath field names may not start with '$': ${name}`);
    return { path: parsePath(name), descending: direction < 0 };
  });
}

const writer = createKeyWriter(512);
const best = createKeyWriter(512);

/** Of an array the lowest element counts upwards and the highest downwards; nothing counts as null. */
function putSortValue(document: Buffer, { path, descending }: SortField): void {
  best.length = 0;
  const from = writer.length;
  visitPath(document, 0, path, true, (type, buf, start, end) => {
    if (type === Type.array && end - start > 5) return false;
    writer.length = from;
    if (type === Type.array) putValue(writer, Type.undefined, buf, start, start);
    else putValue(writer, type, buf, start, end);
    if (descending) invert(writer.bytes, from, writer.length);
    if (best.length > 0 && writer.bytes.compare(best.bytes, 0, best.length, from, writer.length) >= 0) return false;
    best.length = writer.length - from;
    if (best.bytes.length < best.length) best.bytes = Buffer.allocUnsafeSlow(best.length * 2);
    writer.bytes.copy(best.bytes, 0, from, writer.length);
    return false;
  });
  writer.length = from;
  if (best.length === 0) {
    putValue(writer, Type.missing, document, 0, 0);
    if (descending) invert(writer.bytes, from, writer.length);
    return;
  }
  if (writer.bytes.length < from + best.length) {
    const grown = Buffer.allocUnsafeSlow((from + best.length) * 2);
    writer.bytes.copy(grown, 0, 0, from);
    writer.bytes = grown;
  }
  best.bytes.copy(writer.bytes, from, 0, best.length);
  writer.length = from + best.length;
}

export function sortKeyOf(document: Buffer, fields: SortField[]): Buffer {
  writer.length = 0;
  for (const field of fields) putSortValue(document, field);
  return Buffer.from(writer.bytes.subarray(0, writer.length));
}

interface Row {
  key: Buffer;
  order: number;
  record: number;
  document: Buffer;
}

const compareRows = (a: Row, b: Row): number => a.key.compare(b.key) || a.order - b.order;
const MAX_BYTES = 32 * 1024 * 1024;

/** Keeps the first `limit` rows only: twice as many are gathered, then sorted and cut. */
function cut(rows: Row[], limit: number): Row[] {
  rows.sort(compareRows);
  return rows.slice(0, limit);
}

export function sortRows(source: Rows, fields: SortField[], limit = Infinity): Rows {
  let gathered: Row[] = [];
  let bytes = 0;
  let sorted = false;
  let at = 0;
  const gather = (): void => {
    gathered.push({
      key: sortKeyOf(source.document, fields),
      order: gathered.length,
      record: source.record,
      document: source.document,
    });
    bytes += source.document.length;
    if (gathered.length >= limit * 2 + 64) {
      gathered = cut(gathered, limit).map((row, order) => Object.assign(row, { order }));
      bytes = gathered.reduce((sum, row) => sum + row.document.length, 0);
    }
    if (bytes > MAX_BYTES) {
      throw new CommandError(
        292,
        `Sort exceeded memory limit of ${MAX_BYTES} bytes, but did not opt in to external sorting.`,
      );
    }
  };
  const rows: Rows = {
    record: -1,
    document: noDocument,
    suspend: () => source.suspend(),
    next() {
      while (!sorted) {
        const signal = source.next();
        if (signal === Signal.paused) return signal;
        if (signal === Signal.row) gather();
        else {
          gathered = cut(gathered, limit);
          sorted = true;
        }
      }
      const row = gathered[at];
      if (!row) return Signal.done;
      at += 1;
      rows.record = row.record;
      rows.document = row.document;
      return Signal.row;
    },
  };
  return rows;
}
