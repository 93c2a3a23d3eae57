import type { EmailDocument } from '../documents/email.ts';
import { toListProjection, type ListProjectionSource } from '../list-projection.ts';
import { rewrite, type MigrationPart } from './step.ts';

type Read = ListProjectionSource & Pick<EmailDocument, 'rendered'>;

/** The fields of a list item. */
const RENDERED_FROM = [
  'mailboxId',
  'threadId',
  'messageId',
  'inReplyTo',
  'references',
  'from',
  'to',
  'cc',
  'subject',
  'snippet',
  'date',
  'isDraft',
  'hasAttachments',
  'attachments',
] as const satisfies readonly (keyof Read)[];

/** Makes the list projection of every email as ingest makes it now. A change of its fields writes the projection, too. */
export const rebuildListProjections: MigrationPart = rewrite<Read>({
  collection: 'emails',
  reads: RENDERED_FROM,
  whileSame: ['rendered'],
  atOnce: 100,
  *updates(emails) {
    for (const email of emails) {
      const rendered = toListProjection(email);
      if (rendered !== email.rendered) yield { document: email, change: { $set: { rendered } } };
    }
  },
});
