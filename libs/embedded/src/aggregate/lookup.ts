import { type RawValue, Type, elements } from '../bson/raw.ts';
import { buildArray, whole } from '../bson/build.ts';
import { closeDocument, openDocument } from '../bson/tree.ts';
import { toText } from '../bson/value.ts';
import { failedToParse, notSupported } from '../errors.ts';
import type { Operation } from '../operation.ts';
import type { Filter } from '../query/ast.ts';
import { parsePath, visitPath } from '../query/path.ts';
import { openQuery } from '../query/query.ts';
import { type Rows, Signal, emptyRows, noDocument } from '../query/rows.ts';
import type { Collection } from '../storage/collection.ts';
import { keyOf } from '../storage/key.ts';

export interface LookupContext {
  operation: Operation;
  collection: (name: string) => Collection | undefined;
}

function parseOptions(value: RawValue): Record<'from' | 'localField' | 'foreignField' | 'as', string> {
  const options = { from: '', localField: '', foreignField: '', as: '' };
  for (const { name, value: option } of elements(value.buf, value.start)) {
    if (!(name in options)) throw notSupported(`the $lookup option '${name}'`);
    options[name as keyof typeof options] = toText(option) ?? '';
  }
  if (Object.values(options).includes('')) throw failedToParse('$lookup needs from, localField, foreignField and as');
  return options;
}

/** The plain $lookup: equality of one field here with one field there. */
export function lookupRows(source: Rows, value: RawValue, { operation, collection }: LookupContext): Rows {
  const { from, localField, foreignField, as } = parseOptions(value);
  const local = parsePath(localField);
  const foreign = parsePath(foreignField);
  const open = (document: Buffer): Rows => {
    const found = collection(from);
    const operands: RawValue[] = [];
    visitPath(document, 0, local, true, (type, buf, start, end) => {
      if (type !== Type.array)
        operands.push(type === Type.missing ? { type: Type.null, buf, start: 0, end: 0 } : { type, buf, start, end });
      return false;
    });
    const filter: Filter = { kind: 'test', test: { path: foreign, op: 'in', operands, keys: operands.map(keyOf) } };
    return found
      ? openQuery({ collection: found, filter, sort: [], skip: 0, limit: undefined, hint: undefined, operation }).rows
      : emptyRows();
  };
  let inner: Rows | undefined;
  let matched: Buffer[] = [];
  const rows: Rows = {
    record: -1,
    document: noDocument,
    suspend() {
      source.suspend();
      inner?.suspend();
    },
    next() {
      if (!inner) {
        const signal = source.next();
        if (signal !== Signal.row) return signal;
        inner = open(source.document);
        matched = [];
      }
      for (let signal = inner.next(); signal !== Signal.done; signal = inner.next()) {
        if (signal === Signal.paused) return signal;
        matched.push(inner.document);
      }
      inner = undefined;
      const root = openDocument(source.document);
      root.fields.set(as, whole(Type.array, buildArray(matched)));
      rows.document = closeDocument(root);
      return Signal.row;
    },
  };
  return rows;
}
