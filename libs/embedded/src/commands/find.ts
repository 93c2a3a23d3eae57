import { Long } from 'bson';
import { Type, elements, missing } from '../bson/raw.ts';
import { CommandError, typeMismatch } from '../protocol/errors.ts';
import { parseFilterValue } from '../filter/filter.ts';
import { compileProjection } from '../query/projection.ts';
import { openQuery } from '../query/query.ts';
import { type Rows, emptyRows, mapRows } from '../query/rows.ts';
import { parseSort } from '../query/sort.ts';
import { findCollection } from '../storage/catalog.ts';
import { continueCursor, killCursor, openCursor } from './cursors.ts';
import {
  type CommandHandler,
  type Request,
  collectionName,
  countField,
  documentField,
  readFlagField,
  readTextField,
} from './request.ts';

interface FindPlan {
  rows: Rows;
  limit: number | undefined;
  explain: () => Record<string, unknown>;
}

/** The rows of a find, also for explain. */
export function planFind(request: Request, name: string): FindPlan {
  const { fields, operation } = request;
  const filter = parseFilterValue(fields.get('filter') ?? missing);
  const projection = documentField(fields, 'projection');
  const project = projection && compileProjection(projection);
  const sort = parseSort(documentField(fields, 'sort') ?? emptyDocument);
  const limit = countField(fields, 'limit') || undefined;
  const collection = findCollection(request.state.catalog, request.database, name);
  if (!collection) return { rows: emptyRows(), limit, explain: () => ({ stage: 'EOF' }) };
  const { rows, explain } = openQuery({
    collection,
    filter,
    sort,
    skip: countField(fields, 'skip') ?? 0,
    limit,
    hint: fields.get('hint'),
    operation,
  });
  return { rows: project ? mapRows(rows, project) : rows, limit, explain };
}

export const emptyDocument = Buffer.from([5, 0, 0, 0, 0]);

const FIRST_BATCH = 101;

export const find: CommandHandler = {
  fields: ['filter', 'sort', 'projection', 'hint', 'skip', 'limit', 'batchSize', 'singleBatch', 'noCursorTimeout'],
  run(request) {
    const name = collectionName(request);
    const { rows, limit } = planFind(request, name);
    return openCursor(request, {
      namespace: `${request.database}.${name}`,
      rows,
      batchSize: countField(request.fields, 'batchSize') ?? FIRST_BATCH,
      ...(limit === undefined ? {} : { limit }),
      single: readFlagField(request.fields, 'singleBatch'),
    });
  },
};

export const getMore: CommandHandler = {
  fields: ['collection', 'batchSize'],
  run(request) {
    const id = request.fields.get('getMore');
    if (id?.type !== Type.int64)
      throw typeMismatch("BSON field 'getMore.getMore' is the wrong type, expected type 'long'");
    const namespace = `${request.database}.${readTextField(request, 'collection')}`;
    const size = countField(request.fields, 'batchSize') || Infinity;
    return continueCursor(request, id.buf.readBigInt64LE(id.start), namespace, size);
  },
};

export const killCursors: CommandHandler = {
  fields: ['cursors'],
  run(request: Request) {
    const list = request.fields.get('cursors');
    if (list?.type !== Type.array) throw typeMismatch('cursors has to be an array');
    const killed: Long[] = [];
    const unknown: Long[] = [];
    for (const { value } of elements(list.buf, list.start)) {
      if (value.type !== Type.int64) throw new CommandError(14, 'a cursor id has to be a long');
      const id = value.buf.readBigInt64LE(value.start);
      (killCursor(request.state.cursors, id) ? killed : unknown).push(Long.fromBigInt(id));
    }
    return { cursorsKilled: killed, cursorsNotFound: unknown, cursorsAlive: [], cursorsUnknown: [] };
  },
};
