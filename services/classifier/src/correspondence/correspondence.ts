import { addressKey } from '@postroom/contract/address';
import type { EmailDocument } from '@postroom/mail-store/documents/email';
import { addressedOf, defaultSignatureOf } from '@postroom/mail-store/own-sender';
import { writtenText } from '@postroom/mime/visible-text';
import type { Clock } from '@postroom/runtime/clock';
import type { OwnerText, ReplyQuestion, ThreadText } from '../model/model.ts';
import { cleanLine, cleanText, cutToTokens } from '../text/bounded-text.ts';
import type { CorrespondenceStore, OfThread } from './correspondence-store.ts';
import { currentOwners } from './current-owners.ts';
import type { MailboxOwner, OwnerStore } from './owner-store.ts';
import { ownWords, toThreadText } from './thread-text.ts';

type EmailToAnswer = OfThread & Pick<EmailDocument, 'from' | 'to' | 'cc' | 'replyTo' | 'failsDmarc'>;
/** The surroundings of an email, of which a reply is made besides it. */
type ReplyContext = Omit<ReplyQuestion, 'mail'>;

export interface Correspondence {
  /** Whether the mailbox has ever written to the sender of an email. */
  hasWrittenToSender(workspaceId: string, email: EmailToAnswer): Promise<boolean>;
  contextOf(workspaceId: string, email: EmailToAnswer): Promise<ReplyContext>;
}

const MOST_TOKENS = { name: 60, signature: 250 };
const LONGEST_SIGNATURE = 100_000;

export function createCorrespondence(
  store: CorrespondenceStore,
  owners: OwnerStore,
  clock: Pick<Clock, 'now'>,
): Correspondence {
  const ownerOf = currentOwners(owners, clock);

  return {
    // A forged sender is not the person that the mailbox wrote to.
    hasWrittenToSender: async (workspaceId, { mailboxId, from, failsDmarc }) =>
      !failsDmarc && (await store.hasWrittenTo(workspaceId, mailboxId, from.email)),
    contextOf: async (workspaceId, email) => {
      const [thread, owner] = await Promise.all([
        threadOf(store, workspaceId, email),
        ownerOf(workspaceId, email.mailboxId),
      ]);
      return { thread, owner: owner ? ownerText(owner, email) : { name: null, signature: null } };
    },
  };
}

/** A reply that goes to another address than the sender's, or to a doubtful one, must not tell of earlier messages. */
async function threadOf(store: CorrespondenceStore, workspaceId: string, email: EmailToAnswer): Promise<ThreadText[]> {
  if (email.failsDmarc || email.replyTo !== null) return [];
  const found = await store.thread(workspaceId, email, email.from.email);
  if (found.length === 0) return [];
  const ids = found.map(({ _id }) => _id);
  const read = new Map<string, ThreadText>();
  for await (const { _id, html, text } of store.bodies(workspaceId, ids)) {
    const message = found.find((one) => one._id === _id);
    const by = message?.folderType === 'SENT' ? 'owner' : 'sender';
    if (message) read.set(_id, ownWords({ by, date: message.date, html, text }));
  }
  return toThreadText(ids.flatMap((id) => read.get(id) ?? []));
}

/** As the reply will be sent: by the address that the email names. */
function ownerText({ mailbox, signatures }: MailboxOwner, email: EmailToAnswer): OwnerText {
  const sender = addressedOf(email, mailbox) ?? mailbox.email;
  const alias = mailbox.aliases.find((one) => addressKey(one.email) === addressKey(sender));
  const name = alias?.name ?? mailbox.name;
  const html = defaultSignatureOf(signatures, mailbox._id, sender)?.html;
  const signature = html === undefined ? null : cleanText(writtenText(html.slice(0, LONGEST_SIGNATURE)));
  return {
    name: name === null ? null : cutToTokens(cleanLine(name), MOST_TOKENS.name),
    signature: signature === null ? null : cutToTokens(signature, MOST_TOKENS.signature),
  };
}
