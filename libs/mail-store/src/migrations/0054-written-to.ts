import type { EmailDocument } from '../documents/email.ts';
import { writtenToOf } from '../written-to.ts';
import { type MigrationStep, rewrite } from './step.ts';

type Read = Pick<EmailDocument, '_id' | 'folderType' | 'to' | 'cc' | 'bcc' | 'writtenTo'>;

/** Rules know by it whether the mailbox has ever written to a sender. */
export const writtenTo: MigrationStep = {
  title: 'sent mail is found by whom it was written to',
  parts: [
    rewrite<Read>({
      collection: 'emails',
      reads: ['to', 'cc', 'bcc', 'writtenTo'],
      // A message that is sent meanwhile has the field from whoever sends it.
      whileSame: ['folderType'],
      atOnce: 500,
      *updates(emails) {
        for (const email of emails) {
          const found = email.writtenTo ? undefined : writtenToOf(email.folderType, email);
          if (found) yield { document: email, change: { $set: { writtenTo: found } } };
        }
      },
    }),
  ],
};
