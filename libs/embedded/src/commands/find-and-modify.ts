import { Double } from 'bson';
import { appendElement, whole } from '../bson/build.ts';
import { Type, getField, missing } from '../bson/raw.ts';
import { decodeValue, encodeDocument } from '../bson/value.ts';
import { failedToParse } from '../protocol/errors.ts';
import { parseFilterValue } from '../filter/filter.ts';
import { compileProjection } from '../query/projection.ts';
import { parseSort } from '../query/sort.ts';
import { readRecord } from '../storage/arena.ts';
import { openCollection } from '../storage/catalog.ts';
import { deleteDocument } from '../storage/collection.ts';
import { parseArrayFilters } from '../update/array-filters.ts';
import { parseUpdate } from '../update/update.ts';
import { emptyDocument } from './find.ts';
import { type CommandHandler, type Request, collectionName, documentField, readFlagField } from './request.ts';
import { asRetryable } from './sessions.ts';
import { changeMatching } from './target.ts';
import { isPresent, updateRecord, upsertDocument } from './update.ts';

interface Outcome {
  lastErrorObject: Record<string, unknown>;
  value: Buffer | undefined;
}

async function modify(request: Request): Promise<Outcome> {
  const { fields, operation, state } = request;
  const collection = openCollection(state.catalog, request.database, collectionName(request));
  const filter = parseFilterValue(fields.get('query') ?? missing);
  const sort = parseSort(documentField(fields, 'sort') ?? emptyDocument);
  const target = { collection, filter, sort, hint: fields.get('hint'), multi: false, operation };
  const removing = readFlagField(fields, 'remove');
  const wantsNew = readFlagField(fields, 'new');
  const given = fields.get('update');
  if (removing === isPresent(given)) throw failedToParse('Either an update or remove=true must be specified, not both');
  if (removing && (wantsNew || readFlagField(fields, 'upsert')))
    throw failedToParse("Cannot specify 'new' or 'upsert' with remove=true");
  const update = given && parseUpdate(given, parseArrayFilters(fields.get('arrayFilters')));
  let value: Buffer | undefined;
  const n = await changeMatching(target, (record) => {
    value = readRecord(collection.arena, record);
    if (update) updateRecord(collection, record, update);
    else deleteDocument(collection, record);
    if (wantsNew) value = readRecord(collection.arena, record);
  });
  if (removing) return { lastErrorObject: { n }, value };
  if (n > 0 || !update || !readFlagField(fields, 'upsert'))
    return { lastErrorObject: { n, updatedExisting: n > 0 }, value };
  const document = upsertDocument(collection, filter, update);
  const upserted = decodeValue(getField(document, 0, Buffer.from('_id')));
  return { lastErrorObject: { n: 1, updatedExisting: false, upserted }, value: wantsNew ? document : undefined };
}

async function run(request: Request): Promise<Buffer> {
  const projection = documentField(request.fields, 'fields');
  const project = projection && compileProjection(projection);
  return asRetryable(request, async (statements) => {
    const known = statements?.recall(0);
    if (known) return known as Buffer;
    const { lastErrorObject, value } = await modify(request);
    const shown = value && project ? project(value) : value;
    const reply = shown
      ? appendElement({ lastErrorObject, ok: new Double(1) }, 'value', whole(Type.object, Buffer.from(shown)))
      : encodeDocument({ lastErrorObject, value: null, ok: new Double(1) });
    statements?.remember(0, reply);
    return reply;
  });
}

export const findAndModify: CommandHandler = {
  fields: [
    'query',
    'sort',
    'remove',
    'update',
    'new',
    'fields',
    'upsert',
    'arrayFilters',
    'hint',
    'bypassDocumentValidation',
    'stmtId',
  ],
  run,
};
