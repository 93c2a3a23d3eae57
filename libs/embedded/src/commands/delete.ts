import { missing } from '../bson/raw.ts';
import { CommandError } from '../protocol/errors.ts';
import { parseFilterValue } from '../filter/filter.ts';
import { findCollection } from '../storage/catalog.ts';
import { type Collection, deleteDocument } from '../storage/collection.ts';
import {
  type CommandHandler,
  type Request,
  collectionName,
  documentsField,
  entryFields,
  readFlagField,
  numberField,
} from './request.ts';
import { asRetryable } from './sessions.ts';
import { changeMatching } from './target.ts';
import { endsCommand } from './update.ts';
import { type WriteError, writeErrorOf, writeReply } from './write-errors.ts';

async function runEntry(
  request: Request,
  collection: Collection | undefined,
  raw: Buffer,
  retryable: boolean,
): Promise<number> {
  const fields = entryFields(raw, 'delete.deletes', ['q', 'limit', 'hint']);
  const limit = numberField(fields, 'limit');
  if (limit !== 0 && limit !== 1)
    throw new CommandError(9, `The limit field in delete objects must be 0 or 1. Got ${limit}`);
  if (limit === 0 && retryable) throw new CommandError(72, 'a retryable write cannot be a multi delete');
  const filter = parseFilterValue(fields.get('q') ?? missing);
  if (!collection) return 0;
  const target = {
    collection,
    filter,
    sort: [],
    hint: fields.get('hint'),
    multi: limit === 0,
    operation: request.operation,
  };
  return changeMatching(target, (record) => deleteDocument(collection, record));
}

async function deleteAll(request: Request): Promise<Record<string, unknown>> {
  const collection = findCollection(request.state.catalog, request.database, collectionName(request));
  const entries = documentsField(request, 'deletes');
  const ordered = !request.fields.has('ordered') || readFlagField(request.fields, 'ordered');
  return asRetryable(request, async (statements) => {
    let n = 0;
    const errors: WriteError[] = [];
    for (const [index, raw] of entries.entries()) {
      try {
        const known = statements?.recall(index) as { n: number } | undefined;
        const removed = known?.n ?? (await runEntry(request, collection, raw, statements !== undefined));
        statements?.remember(index, { n: removed });
        n += removed;
      } catch (error) {
        if (!(error instanceof CommandError) || endsCommand(error)) throw error;
        errors.push(writeErrorOf(index, error));
        if (ordered) break;
      }
    }
    return writeReply({ n }, errors);
  });
}

export const del: CommandHandler = { fields: ['deletes', 'ordered', 'stmtIds', 'stmtId'], run: deleteAll };
