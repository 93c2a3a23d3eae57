import { CommandError } from '../errors.ts';
import { breathe, sliceIsOver } from '../operation.ts';
import { openCollection } from '../storage/catalog.ts';
import { insertDocument } from '../storage/collection.ts';
import { assertStorable, idFirst } from '../update/update.ts';
import { type Command, type Request, collectionName, documentsField, flagField } from './request.ts';
import { asRetryable } from './sessions.ts';
import { type WriteError, writeErrorOf, writeReply } from './write-errors.ts';

async function insertAll(request: Request): Promise<Record<string, unknown>> {
  const collection = openCollection(request.state.catalog, request.database, collectionName(request));
  const documents = documentsField(request, 'documents');
  const ordered = !request.fields.has('ordered') || flagField(request.fields, 'ordered');
  return asRetryable(request, async (statements) => {
    let n = 0;
    const errors: WriteError[] = [];
    for (const [index, document] of documents.entries()) {
      if (sliceIsOver(request.operation)) await breathe(request.operation);
      try {
        if (!statements?.recall(index)) {
          const stored = idFirst(document);
          assertStorable(stored);
          insertDocument(collection, stored);
          statements?.remember(index, { n: 1 });
        }
        n += 1;
      } catch (error) {
        if (!(error instanceof CommandError)) throw error;
        errors.push(writeErrorOf(index, error));
        if (ordered) break;
      }
    }
    return writeReply({ n }, errors);
  });
}

export const insert: Command = {
  fields: ['documents', 'ordered', 'bypassDocumentValidation', 'stmtIds', 'stmtId'],
  run: insertAll,
};
