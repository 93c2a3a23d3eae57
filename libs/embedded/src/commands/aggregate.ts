import { Type } from '../bson/raw.ts';
import { Int32 } from 'bson';
import { type Head, type Stage, parsePipeline, runStages, splitPipeline } from '../aggregate/pipeline.ts';
import { decodePlain, documentOf, encodeDocument } from '../bson/value.ts';
import { type Query, countByIndex, openQuery } from '../query/query.ts';
import { type Rows, emptyRows, oneRow } from '../query/rows.ts';
import { CommandError } from '../errors.ts';
import { findCollection } from '../storage/catalog.ts';
import { openCursor } from './cursors.ts';
import { type Command, type Request, collectionName, countField, fieldsOf } from './request.ts';

export interface AggregatePlan {
  rows: Rows;
  /** The stages that the query at the bottom did not take over. */
  rest: Stage[];
  explain: () => Record<string, unknown>;
}

export function planAggregate(request: Request, name: string): AggregatePlan {
  const { state, database, operation, fields } = request;
  const head = splitPipeline(parsePipeline(fields.get('pipeline')));
  const context = { operation, collection: (other: string) => findCollection(state.catalog, database, other) };
  const collection = findCollection(state.catalog, database, name);
  const counted = collection && countMatching(head, { ...head, collection, hint: fields.get('hint'), operation });
  if (counted) return { rows: counted, rest: [], explain: () => ({ stage: 'COUNT_SCAN' }) };
  const query = collection && openQuery({ ...head, collection, hint: fields.get('hint'), operation });
  return {
    rows: runStages(query?.rows ?? emptyRows(), head.rest, context),
    rest: head.rest,
    explain: query?.explain ?? (() => ({ stage: 'EOF' })),
  };
}

/** What a driver's countDocuments sends, `$match` and a `$group` that only counts, answered by the shape of an index. */
function countMatching({ rest, skip, limit }: Head, query: Query): Rows | undefined {
  const [only] = rest;
  if (!only || rest.length !== 1 || only.name !== '$group' || query.sort.length > 0) return undefined;
  const spec = decodePlain(documentOf(only.value));
  const [id, sum, ...others] = Object.entries(spec);
  const field = sum?.[1] as Record<string, unknown> | undefined;
  const isCount = typeof field === 'object' && field !== null && Object.keys(field).length === 1 && field['$sum'] === 1;
  if (!id || !sum || id[0] !== '_id' || others.length > 0 || !isCount || (id[1] !== null && typeof id[1] !== 'number'))
    return undefined;
  const known = countByIndex(query);
  if (known === undefined) return undefined;
  const n = Math.min(Math.max(0, known - skip), limit ?? Infinity);
  return n > 0 ? oneRow(encodeDocument({ _id: id[1], [sum[0]]: new Int32(n) })) : emptyRows();
}

const FIRST_BATCH = 101;

export const aggregate: Command = {
  fields: ['pipeline', 'cursor', 'hint', 'bypassDocumentValidation'],
  run(request) {
    const name = collectionName(request);
    const cursor = request.fields.get('cursor');
    if (cursor?.type !== Type.object)
      throw new CommandError(9, "The 'cursor' option is required, except for aggregate with the explain argument");
    const { rows } = planAggregate(request, name);
    const batchSize = countField(fieldsOf(cursor), 'batchSize') ?? FIRST_BATCH;
    return openCursor(request, { namespace: `${request.database}.${name}`, rows, batchSize });
  },
};
