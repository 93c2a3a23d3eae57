import { missing } from '../bson/raw.ts';
import { parseFilterValue } from '../filter/filter.ts';
import { countByIndex, openQuery } from '../query/query.ts';
import { nextRow } from '../query/rows.ts';
import { findCollection } from '../storage/catalog.ts';
import { type CommandHandler, collectionName, countField } from './request.ts';

export const countCommand: CommandHandler = {
  fields: ['query', 'limit', 'skip', 'hint', 'fields'],
  async run(request) {
    const { fields, operation } = request;
    const filter = parseFilterValue(fields.get('query') ?? missing);
    const collection = findCollection(request.state.catalog, request.database, collectionName(request));
    if (!collection) return { n: 0 };
    const limit = countField(fields, 'limit') || undefined;
    const skip = countField(fields, 'skip') ?? 0;
    const query = { collection, filter, sort: [], skip, limit, hint: fields.get('hint'), operation };
    const known = countByIndex(query);
    if (known !== undefined) return { n: Math.min(Math.max(0, known - skip), limit ?? Infinity) };
    const { rows } = openQuery(query);
    let n = 0;
    while (await nextRow(rows, operation)) n += 1;
    return { n };
  },
};
