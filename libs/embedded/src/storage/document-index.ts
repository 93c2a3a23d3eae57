import { Type } from '../bson/raw.ts';
import { CommandError } from '../protocol/errors.ts';
import { parseFilter } from '../filter/filter.ts';
import { compileMatcher, type Matcher } from '../filter/matcher.ts';
import type { Filter } from '../filter/ast.ts';
import { type Path, parsePath, visitPath } from '../filter/path.ts';
import { type IndexTree, createTree } from './index-tree.ts';
import type { IndexDefinition } from './index-spec.ts';
import { type IdSource, idOrder, putId } from './id-order.ts';
import { createKeyWriter, invert, putValue } from '../bson/key.ts';
import { copyBytes } from './leaf.ts';

export interface IndexField {
  path: Path;
  descending: boolean;
}

export interface Index {
  spec: IndexDefinition;
  /** All fields of the order, the closing `_id` included, which every index has in the end. */
  fields: IndexField[];
  /** The number of fields that the entries store. They never store the closing `_id`. */
  stored: number;
  tree: IndexTree;
  /** True for each field that has held an array. The bounds of such a field cannot be intersected. */
  multikey: boolean[];
  partial: { filter: Filter; matches: Matcher } | undefined;
  /** False while it is being built: it is kept up to date, but no query uses it. */
  ready: boolean;
}

export function createIndex(spec: IndexDefinition, source: IdSource): Index {
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

export interface DocumentKeys {
  /** The keys of one document, in no particular order. Empty when a partial index excludes the document. */
  keys: Buffer[];
  /** The bytes at the end of each that are the key of the `_id`, and are not stored. */
  idLength: number;
}

const NONE: DocumentKeys = { keys: [], idLength: 0 };

/** The full keys of a document: its fields, then its `_id`. An array with a value twice may give the same key twice. */
export function keysOf(index: Index, document: Buffer): DocumentKeys {
  if (index.partial && !index.partial.matches(document)) return NONE;
  writer.length = 0;
  let starts: number[] | undefined;
  let many = -1;
  for (let i = 0; i < index.stored; i += 1) {
    const field = index.fields[i] as IndexField;
    const own: number[] = [writer.length];
    if (writeFieldKeys(field, document, own)) {
      if (starts) throw parallel(index, many, i);
      many = i;
      index.multikey[i] = true;
      starts = own;
    }
  }
  const stored = writer.length;
  putId(writer, document, index.fields.at(-1)?.descending ?? false);
  return { keys: starts ? joinKeys(starts, stored) : [take(stored)], idLength: writer.length - stored };
}

function assertShort(length: number): void {
  if (length > MAX_KEY) throw new CommandError(17280, `an index key of ${length} bytes is longer than ${MAX_KEY}`);
}

function take(stored: number): Buffer {
  assertShort(stored);
  return Buffer.from(writer.bytes.subarray(0, writer.length));
}

function parallel(index: Index, first: number, second: number): CommandError {
  const names = [second, first].map((at) => `[${index.fields[at]?.path.text}]`);
  return new CommandError(171, `cannot index parallel arrays ${names.join(' ')}`);
}

/** One key for each value of the field that has many: what stands before it, the value, what stands behind. */
function joinKeys(starts: number[], stored: number): Buffer[] {
  const { bytes, length } = writer;
  const before = starts[0] as number;
  const after = starts.at(-1) as number;
  const keys: Buffer[] = [];
  for (let i = 1; i < starts.length; i += 1) {
    const from = starts[i - 1] as number;
    const to = starts[i] as number;
    assertShort(stored - (after - before) + to - from);
    const key = Buffer.allocUnsafe(length - (after - before) + to - from);
    copyBytes(bytes, 0, before, key, 0);
    copyBytes(bytes, from, to, key, before);
    copyBytes(bytes, after, length, key, before + to - from);
    keys.push(key);
  }
  return keys;
}
