import { Int32 } from 'bson';
import { type Pipeline, parsePipeline } from '../aggregate/pipeline.ts';
import { Type } from '../bson/raw.ts';
import { encodeDocument } from '../bson/value.ts';
import { CommandError } from '../protocol/errors.ts';
import { countByIndex, openQuery } from '../query/query.ts';
import { type Rows, Signal, emptyRows, oneRow } from '../query/rows.ts';
import { findCollection } from '../storage/catalog.ts';
import { openCursor } from './cursors.ts';
import { type CommandHandler, type Request, collectionName, countField, fieldsOf } from './request.ts';

interface AggregatePlan {
  rows: Rows;
  explain: () => Record<string, unknown>;
}

export function planAggregate(request: Request, name: string): AggregatePlan {
  const { state, database, operation, fields } = request;
  const pipeline = parsePipeline(fields.get('pipeline'));
  const collection = findCollection(state.catalog, database, name);
  if (!collection) return { rows: emptyRows(), explain: () => ({ stage: 'EOF' }) };
  const query = { ...pipeline, collection, hint: fields.get('hint'), operation };
  const { count, sort, skip, limit = Infinity } = pipeline;
  // Where the shape of an index knows how many there are, none of them is looked at.
  const known = count && sort.length === 0 ? countByIndex(query) : undefined;
  if (count && known !== undefined) {
    const rows = counted(count, Math.min(Math.max(0, known - skip), limit));
    return { rows, explain: () => ({ stage: 'COUNT_SCAN' }) };
  }
  const { rows, explain } = openQuery(query);
  return { rows: count ? countRows(rows, count) : rows, explain };
}

type Count = NonNullable<Pipeline['count']>;

function counted({ id, field }: Count, n: number): Rows {
  return n > 0 ? oneRow(encodeDocument({ _id: id, [field]: new Int32(n) })) : emptyRows();
}

/** One document, when all that is counted has been seen. */
function countRows(source: Rows, count: Count): Rows {
  let n = 0;
  let result: Rows | undefined;
  const rows: Rows = {
    ...emptyRows(),
    suspend: () => source.suspend(),
    next() {
      while (!result) {
        const signal = source.next();
        if (signal === Signal.paused) return signal;
        if (signal === Signal.row) n += 1;
        else result = counted(count, n);
      }
      rows.document = result.document;
      return result.next();
    },
  };
  return rows;
}

const FIRST_BATCH = 101;

export const aggregate: CommandHandler = {
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
