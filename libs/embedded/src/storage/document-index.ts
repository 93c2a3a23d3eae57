import { Type } from '../bson/raw.ts';
import { CommandError } from '../errors.ts';
import { parseFilter } from '../query/filter.ts';
import { compileMatcher, type Matcher } from '../query/matcher.ts';
import type { Filter } from '../query/ast.ts';
import { type Path, parsePath, visitPath } from '../query/path.ts';
import { type IndexTree, createTree } from './index-tree.ts';
import type { IndexSpec } from './index-spec.ts';
import { createKeyWriter, invert, putValue, textOf } from './key.ts';
import { type IdSource, idOrder } from './id-order.ts';

export interface IndexField {
  path: Path;
  descending: boolean;
}

export interface Index {
  spec: IndexSpec;
  /** All fields of the order, the closing `_id` included, which every index has in the end. */
  fields: IndexField[];
  /** How many of them are kept in the entries; the closing `_id` never is. */
  stored: number;
  tree: IndexTree;
  /** Which fields have met an array; bounds of such a field cannot be intersected. */
  multikey: boolean[];
  partial: { filter: Filter; matches: Matcher } | undefined;
  /** False while it is being built: it is kept up to date, but no query uses it. */
  ready: boolean;
}

export function createIndex(spec: IndexSpec, source: IdSource): Index {
  const fields = spec.key.map(([path, direction]) => ({ path: parsePath(path), descending: direction < 0 }));
  const endsInId = fields.at(-1)?.path.text === '_id';
  if (!endsInId) fields.push({ path: parsePath('_id'), descending: false });
  const filter = spec.partial ? parseFilter(spec.partial) : undefined;
  return {
    spec,
    fields,
    stored: fields.length - 1,
    tree: createTree(idOrder(source, fields.at(-1)?.descending ?? false)),
    multikey: fields.map(() => false),
    partial: filter && { filter, matches: compileMatcher(filter) },
    ready: true,
  };
}

const writer = createKeyWriter(4096);
const MAX_KEY = 8192;

/** The keys of one field of a document, one after the other in the writer; ends of each are put into `ends`. */
function writeFieldKeys(field: IndexField, document: Buffer, ends: number[]): boolean {
  let sawArray = false;
  let values = 0;
  visitPath(document, 0, field.path, true, (type, buf, start, end) => {
    if (type === Type.array) {
      // The walk shows an array after its elements. It has no key of its own, unless it was empty.
      sawArray = true;
      if (end - start > 5) return false;
    }
    const from = writer.length;
    if (type === Type.array) putValue(writer, Type.undefined, buf, start, start);
    else putValue(writer, type, buf, start, end);
    if (field.descending) invert(writer.bytes, from, writer.length);
    ends.push(writer.length);
    values += 1;
    return false;
  });
  if (values === 0) {
    const from = writer.length;
    putValue(writer, Type.missing, document, 0, 0);
    if (field.descending) invert(writer.bytes, from, writer.length);
    ends.push(writer.length);
  }
  return sawArray || values > 1;
}

/** The stored keys of a document, each once, in no particular order. Empty when a partial index leaves it out. */
export function keysOf(index: Index, document: Buffer): Buffer[] {
  if (index.partial && !index.partial.matches(document)) return [];
  writer.length = 0;
  const ends: number[][] = [];
  let many = -1;
  for (let i = 0; i < index.stored; i += 1) {
    const field = index.fields[i] as IndexField;
    const own: number[] = [writer.length];
    if (writeFieldKeys(field, document, own)) {
      if (many >= 0) throw parallel(index, many, i);
      many = i;
      index.multikey[i] = true;
    }
    ends.push(own);
  }
  return many < 0 ? [take(writer.length)] : joinKeys(ends, many);
}

function take(length: number): Buffer {
  if (length > MAX_KEY) throw new CommandError(17280, `an index key of ${length} bytes is longer than ${MAX_KEY}`);
  return Buffer.from(writer.bytes.subarray(0, length));
}

function parallel(index: Index, first: number, second: number): CommandError {
  const names = [second, first].map((at) => `[${index.fields[at]?.path.text}]`);
  return new CommandError(171, `cannot index parallel arrays ${names.join(' ')}`);
}

function joinKeys(ends: number[][], many: number): Buffer[] {
  const starts = ends[many] as number[];
  const before = writer.bytes.subarray(0, starts[0]);
  const after = writer.bytes.subarray(starts.at(-1), writer.length);
  const seen = new Set<string>();
  const keys: Buffer[] = [];
  for (let i = 1; i < starts.length; i += 1) {
    const own = writer.bytes.subarray(starts[i - 1], starts[i]);
    const text = textOf(own);
    if (seen.has(text)) continue;
    seen.add(text);
    const key = Buffer.concat([before, own, after]);
    if (key.length > MAX_KEY)
      throw new CommandError(17280, `an index key of ${key.length} bytes is longer than ${MAX_KEY}`);
    keys.push(key);
  }
  return keys;
}
