import { isDeepStrictEqual } from 'node:util';
import type { Connection } from 'mongoose';
import { shownText } from '@postroom/mime/shown-text';
import type { BodyDocument, EmailDocument } from '../documents/email.ts';
import { searchable, type Searchable } from '../searchable.ts';
import { rewrite, type MigrationPart } from './step.ts';

type Read = Pick<EmailDocument, '_id' | 'from' | 'to' | 'cc' | 'subject' | 'folded' | 'words' | 'rendered'>;
type Body = Pick<BodyDocument, '_id' | 'html' | 'text'>;

/** Bodies may be megabytes: few are fetched ahead. */
const BODIES_AHEAD = 5;

/** Makes the search fields of every email as ingest makes them now. They change only together with the list projection. */
export const foldAgain: MigrationPart = rewrite<Read>({
  collection: 'emails',
  reads: ['from', 'to', 'cc', 'subject', 'folded', 'words'],
  whileSame: ['rendered'],
  atOnce: 50,
  async *updates(emails, database) {
    const left = new Map(emails.map((email) => [email._id, email]));
    for await (const body of bodiesOf([...left.keys()], database)) {
      const email = left.get(body._id);
      left.delete(body._id);
      if (email) yield* updateOf(email, searchable(email, shownText(body).text));
    }
    for (const email of left.values()) yield* updateOf(email, withoutBody(email));
  },
});

function bodiesOf(ids: string[], database: Connection): AsyncIterable<Body> {
  const projection = { _id: 1, html: 1, text: 1 } as const;
  const options = { projection, batchSize: BODIES_AHEAD };
  return database.collection<BodyDocument>('bodies').find({ _id: { $in: ids } }, options);
}

/** A body that is not kept any more leaves its text as it was folded once, which words are made of as well. */
function withoutBody(email: Read): Searchable {
  const { folded, words } = searchable(email, email.folded.text);
  return { folded: { ...folded, text: email.folded.text }, words };
}

function* updateOf(email: Read, { folded, words }: Searchable) {
  if (isDeepStrictEqual([folded, words], [email.folded, email.words])) return;
  yield { document: email, change: { $set: { folded, words } } };
}
