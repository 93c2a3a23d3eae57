import type { EmailDocument } from '../documents/email.ts';
import { fittedEmail } from '../email-bounds.ts';
import { renderEmail, type RenderSource } from '../render.ts';
import { RENDERED_FROM } from './render-again.ts';
import { rewrite, type MigrationStep } from './step.ts';

type Read = RenderSource & Pick<EmailDocument, 'bcc' | 'providerLabels' | 'rendered'>;

/** The version before goes on storing such emails until it is gone; no answer depends on there being none. */
export const boundedEmails: MigrationStep = {
  title: 'emails are bounded in what they and their list items hold, and have a Message-ID',
  parts: [
    rewrite<Read>({
      collection: 'emails',
      reads: [...RENDERED_FROM, 'bcc', 'providerLabels', 'rendered'],
      whileSame: ['rendered'],
      // One of these may have had 16 MB.
      atOnce: 20,
      *updates(emails) {
        for (const email of emails) {
          // What is measured is what an email shows; its list item is made anew.
          const { rendered: before, ...shown } = email;
          const { references, to, cc, bcc, attachments, providerLabels } = fittedEmail(shown);
          // What it came with is not kept; its own id is as steady.
          const messageId = email.messageId === '' ? `<${email._id}@without-id.invalid>` : email.messageId;
          const lists = { references, to, cc, bcc, attachments, providerLabels };
          const rendered = renderEmail({ ...shown, ...lists, messageId });
          if (rendered === before) continue;
          yield { document: email, change: { $set: { ...lists, messageId, rendered } } };
        }
      },
    }),
  ],
};
