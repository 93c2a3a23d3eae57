import { type RawValue, Type, getField, missing } from '../bson/raw.ts';
import { decodeValue } from '../bson/value.ts';
import { CommandError, failedToParse } from '../protocol/errors.ts';
import type { Filter } from '../filter/ast.ts';
import { parseFilterValue } from '../filter/filter.ts';
import { parseSort } from '../query/sort.ts';
import { readRecord } from '../storage/arena.ts';
import { openCollection } from '../storage/catalog.ts';
import { type Collection, insertDocument, updateDocument } from '../storage/collection.ts';
import { parseArrayFilters } from '../update/array-filters.ts';
import { type Update, applyUpdate, assertStorable, idFirst, parseUpdate, seedOf } from '../update/update.ts';
import { emptyDocument } from './find.ts';
import {
  type CommandHandler,
  type Request,
  collectionName,
  documentField,
  documentsField,
  entryFields,
  readFlagField,
} from './request.ts';
import { asRetryable } from './sessions.ts';
import { changeMatching } from './target.ts';
import { type WriteError, writeErrorOf, writeReply } from './write-errors.ts';

interface Outcome {
  n: number;
  nModified: number;
  upserted?: unknown;
}

interface UpdateEntry {
  filter: Filter;
  update: Update;
  multi: boolean;
  upsert: boolean;
  sort: Buffer;
  hint: RawValue | undefined;
}

const entryNames = ['q', 'u', 'multi', 'upsert', 'arrayFilters', 'hint', 'sort', 'c'];

function parseEntry(entry: Buffer): UpdateEntry {
  const fields = entryFields(entry, 'update.updates', entryNames);
  const update = parseUpdate(fields.get('u') ?? missing, parseArrayFilters(fields.get('arrayFilters')));
  const multi = readFlagField(fields, 'multi');
  if (multi && update.kind === 'replace')
    throw failedToParse('multi update is not supported for replacement-style update');
  return {
    filter: parseFilterValue(fields.get('q') ?? missing),
    update,
    multi,
    upsert: readFlagField(fields, 'upsert'),
    sort: documentField(fields, 'sort') ?? emptyDocument,
    hint: fields.get('hint'),
  };
}

/** Writes the document after the update; false when the update changed nothing. */
export function updateRecord(collection: Collection, record: number, update: Update): boolean {
  const before = readRecord(collection.arena, record);
  const after = applyUpdate(update, before, { inserting: false });
  if (after.equals(before)) return false;
  assertStorable(after);
  updateDocument(collection, record, after);
  return true;
}

/** Inserts what an upsert makes when nothing matched. */
export function upsertDocument(collection: Collection, filter: Filter, update: Update): Buffer {
  const document = idFirst(applyUpdate(update, seedOf(filter), { inserting: true }));
  assertStorable(document);
  insertDocument(collection, document);
  return document;
}

async function runEntry(request: Request, collection: Collection, entry: UpdateEntry): Promise<Outcome> {
  const { filter, update, multi, hint } = entry;
  let nModified = 0;
  const target = { collection, filter, sort: parseSort(entry.sort), hint, multi, operation: request.operation };
  const n = await changeMatching(target, (record) => {
    if (updateRecord(collection, record, update)) nModified += 1;
  });
  if (n > 0 || !entry.upsert) return { n, nModified };
  const document = upsertDocument(collection, filter, update);
  return { n: 1, nModified: 0, upserted: decodeValue(getField(document, 0, Buffer.from('_id'))) };
}

async function updateAll(request: Request): Promise<Record<string, unknown>> {
  const collection = openCollection(request.state.catalog, request.database, collectionName(request));
  const entries = documentsField(request, 'updates');
  const ordered = !request.fields.has('ordered') || readFlagField(request.fields, 'ordered');
  return asRetryable(request, async (statements) => {
    let n = 0;
    let nModified = 0;
    const upserted: Record<string, unknown>[] = [];
    const errors: WriteError[] = [];
    for (const [index, raw] of entries.entries()) {
      try {
        const entry = parseEntry(raw);
        if (statements && entry.multi) throw new CommandError(72, 'a retryable write cannot be a multi update');
        const known = statements?.recall(index) as Outcome | undefined;
        const outcome = known ?? (await runEntry(request, collection, entry));
        statements?.remember(index, { ...outcome });
        n += outcome.n;
        nModified += outcome.nModified;
        if ('upserted' in outcome) upserted.push({ index, _id: outcome.upserted });
      } catch (error) {
        if (!(error instanceof CommandError) || endsCommand(error)) throw error;
        errors.push(writeErrorOf(index, error));
        if (ordered) break;
      }
    }
    return writeReply({ n, nModified, ...(upserted.length > 0 ? { upserted } : {}) }, errors);
  });
}

/** Time limits and interruptions end the command as a whole; any other error belongs to one entry. */
export const endsCommand = ({ code }: CommandError): boolean => [50, 279, 11600, 11601].includes(code);

export const update: CommandHandler = {
  fields: ['updates', 'ordered', 'bypassDocumentValidation', 'stmtIds', 'stmtId'],
  run: updateAll,
};

export const isPresent = (value: RawValue | undefined): value is RawValue =>
  value !== undefined && value.type !== Type.null;
