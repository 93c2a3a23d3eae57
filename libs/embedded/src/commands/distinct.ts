import { Double } from 'bson';
import { appendElement, buildDocument, whole } from '../bson/build.ts';
import { type RawValue, Type, missing } from '../bson/raw.ts';
import { parseFilterValue } from '../query/filter.ts';
import { parsePath, visitPath } from '../query/path.ts';
import { openQuery } from '../query/query.ts';
import { nextRow } from '../query/rows.ts';
import { findCollection } from '../storage/catalog.ts';
import { keyOf, textOf } from '../storage/key.ts';
import { type Command, type Request, collectionName, textField } from './request.ts';

async function valuesOf(request: Request): Promise<RawValue[]> {
  const { fields, operation } = request;
  const path = parsePath(textField(request, 'key'));
  const filter = parseFilterValue(fields.get('query') ?? missing);
  const collection = findCollection(request.state.catalog, request.database, collectionName(request));
  if (!collection) return [];
  const hint = fields.get('hint');
  const { rows } = openQuery({ collection, filter, sort: [], skip: 0, limit: undefined, hint, operation });
  const found = new Map<string, RawValue>();
  while (await nextRow(rows, operation)) {
    visitPath(rows.document, 0, path, true, (type, buf, start, end) => {
      // The elements of an array count, the array itself does not.
      if (type === Type.missing || type === Type.array) return false;
      const key = textOf(keyOf({ type, buf, start, end }));
      if (!found.has(key)) found.set(key, { type, buf, start, end });
      return false;
    });
  }
  return [...found].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, value]) => value);
}

export const distinct: Command = {
  fields: ['key', 'query', 'hint'],
  async run(request) {
    const values = await valuesOf(request);
    const array = buildDocument(values.map((value, index) => ({ name: String(index), value })));
    return appendElement({ ok: new Double(1) }, 'values', whole(Type.array, array));
  },
};
