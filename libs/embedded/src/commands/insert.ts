import { CommandError } from '../protocol/errors.ts';
import { breathe, sliceIsOver } from '../protocol/operation.ts';
import { openCollection } from '../storage/catalog.ts';
import { insertDocuments } from '../storage/collection.ts';
import { assertStorable, idFirst } from '../update/update.ts';
import { type CommandHandler, type Request, collectionName, documentsField, readFlagField } from './request.ts';
import { type Statements, asRetryable } from './sessions.ts';
import { type WriteError, writeErrorOf, writeReply } from './write-errors.ts';

/** A batch is cheaper than single inserts. This size is small enough that other requests do not wait long. */
const AT_ONCE = 32;

/** An ordered insert stops at its first error, so it inserts the documents one by one. */
async function insertAll(request: Request): Promise<Record<string, unknown>> {
  const collection = openCollection(request.state.catalog, request.database, collectionName(request));
  const documents = documentsField(request, 'documents');
  const ordered = !request.fields.has('ordered') || readFlagField(request.fields, 'ordered');
  const step = ordered ? 1 : AT_ONCE;
  return asRetryable(request, async (statements) => {
    const errors: WriteError[] = [];
    let n = 0;
    for (let at = 0; at < documents.length && !(ordered && errors.length > 0); at += step) {
      if (at > 0 && (!ordered || sliceIsOver(request.operation))) await breathe(request.operation);
      const outcomes = insertSome(collection, documents.slice(at, at + step), at, statements);
      for (const [position, outcome] of outcomes.entries()) {
        if (outcome) errors.push(writeErrorOf(at + position, outcome));
        else n += 1;
      }
    }
    return writeReply({ n }, errors);
  });
}

type Collection = ReturnType<typeof openCollection>;

/** Returns the error of each document, or undefined. A repeated command finds its documents already stored. */
function insertSome(
  collection: Collection,
  documents: Buffer[],
  first: number,
  statements: Statements | undefined,
): (CommandError | undefined)[] {
  const outcomes = documents.map((document, position) => {
    if (statements?.recall(first + position)) return undefined;
    return storable(document);
  });
  const fresh = outcomes.filter((outcome) => Buffer.isBuffer(outcome));
  const inserted = insertDocuments(collection, fresh).values();
  return outcomes.map((outcome, position) => {
    if (!Buffer.isBuffer(outcome)) return outcome;
    const result = inserted.next().value;
    if (result instanceof CommandError) return result;
    statements?.remember(first + position, { n: 1 });
    return undefined;
  });
}

function storable(document: Buffer): Buffer | CommandError {
  try {
    const stored = idFirst(document);
    assertStorable(stored);
    return stored;
  } catch (error) {
    if (error instanceof CommandError) return error;
    throw error;
  }
}

export const insert: CommandHandler = {
  fields: ['documents', 'ordered', 'bypassDocumentValidation', 'stmtIds', 'stmtId'],
  run: insertAll,
};
