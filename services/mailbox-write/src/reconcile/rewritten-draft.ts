import type { EmailDocument } from '@postroom/mail-store/documents/email';
import type { MailboxDocument } from '@postroom/mail-store/documents/mailbox';
import type { ServiceContext } from '@postroom/runtime/service';
import type { EmailChange } from '../changes/email-change.ts';
import { toEmailDocument } from '../ingest/email-document.ts';
import type { AsRead, EmailAsRead } from '../changes/email-as-read.ts';
import type { LocatedArrival } from './which-email.ts';
import type { MakeChange } from './change-maker.ts';

/** The fields that come from the message itself and from its IMAP location. */
const CONTENT = [
  'inReplyTo',
  'references',
  'from',
  'to',
  'cc',
  'bcc',
  'subject',
  'snippet',
  'date',
  'hasAttachments',
  'attachments',
  'senderAddress',
  'senderDomain',
  'folded',
  'words',
  'rendered',
  'isAutomatic',
  'isDraft',
  'folderId',
  'folderType',
  'waitingForReply',
  'isUnsettled',
  'place',
  'messageKey',
  'identity',
] as const satisfies (keyof EmailDocument)[];

/**
 * A draft as somebody else has left it at its provider: it keeps its id and labels. Where that was to send it, or to
 * change what was going to leave by itself, nothing of ours is sent any more.
 */
export function rewrittenDraft(
  changeOf: MakeChange,
  mailbox: MailboxDocument,
  { email, arrival }: { email: EmailAsRead; arrival: LocatedArrival },
  context: Pick<ServiceContext, 'clock' | 'ids'>,
): EmailChange {
  const { _id: emailId, threadId, draft, providerChanges } = email;
  const document = toEmailDocument(mailbox, { ...arrival, emailId }, threadId ?? '', context);
  const content = Object.fromEntries(CONTENT.map((name) => [name, document[name]])) as Partial<EmailDocument>;
  const isSent = arrival.incoming.folderType === 'SENT';
  const kept = draft && !isSent ? { ...draft, updatedAt: context.clock.date() } : null;
  const change = changeOf(mailbox.workspaceId, email, {
    set: {
      ...content,
      ...(document.writtenTo && { writtenTo: document.writtenTo }),
      draft: kept,
      bodyVersion: bodyVersionOf(arrival),
      ...(isTakenOver(email, arrival) && { scheduledSendAt: null, scheduledStatus: 'canceled' }),
    },
    unset: email.gone ? ['gone'] : [],
    done: providerChanges.append ? { append: null } : {},
  });
  // A send that begins meanwhile has marked the draft, which is then taken over.
  const isTaken = isSent && isTakenOver(email, arrival);
  const scheduledStatus = isTaken ? 'canceled' : email.scheduledStatus;
  return { ...change, when: { ...(change.when as AsRead), scheduledStatus } };
}

/** The key of its location: each save of a mail program has a location of its own. */
export const bodyVersionOf = ({ messageKey }: LocatedArrival): string => messageKey;

/** A draft without an IMAP location is our own copy, which the provider has filed. A draft in Sent that we send is our own mail. */
export function isTakenOver({ scheduledStatus, place: location }: EmailAsRead, { incoming }: LocatedArrival): boolean {
  if (incoming.folderType === 'SENT') return scheduledStatus === 'pending';
  return location !== undefined && (scheduledStatus === 'pending' || scheduledStatus === 'sending');
}
