import { createHash } from 'node:crypto';
import { addressKey } from '@postroom/contract/address';
import { ApiError } from '@postroom/errors/api-error';
import type { SignatureDocument } from '@postroom/mail-store/documents/workspace';
import type { ComposeRequest } from '@postroom/proto/postroom/v1/outbound_send';
import type { EmailAddress } from '@postroom/proto/postroom/v1/resources';
import type { AnsweredEmail, MailReaderStore, SendingMailbox } from '../mail-reader/mail-reader-store.ts';
import { toAsciiDomain } from '../addresses/address.ts';
import { finishBody } from './body.ts';
import type { NamedAddress, Composition } from './composition.ts';
import { inFairOrder } from './fair-order.ts';
import { senderOf, signatureOf } from './sender.ts';

/** More makes a header that some servers refuse: the first names the conversation, the last its newest branch. */
const MOST_REFERENCES = 100;

export interface Composed {
  mailbox: SendingMailbox;
  composition: Composition;
  signature: SignatureDocument | null;
}

/** The parts that the caller has read before. */
type ReadBefore = Partial<{ mailbox: SendingMailbox; answered: AnsweredEmail }>;

export interface Budget {
  workspaceId: string;
  remainingMs(): number;
}

/** The message that was asked for, with everything that its mailbox and its conversation add to it. */
export async function compositionOf(
  request: ComposeRequest,
  { operation, date }: { operation: string; date: Date },
  mailReader: MailReaderStore,
  call: Budget,
  read: ReadBefore = {},
): Promise<Composed> {
  const { workspaceId } = call;
  const [mailbox, signatures, answered] = await Promise.all([
    read.mailbox ?? mailReader.mailbox(workspaceId, request.mailboxId, call),
    mailReader.signatures(workspaceId, call),
    read.answered ?? answeredBy(request, mailReader, call),
  ]);
  requireActive(mailbox);
  const from = senderOf(mailbox, request.from);
  const signature = signatureOf(signatures, request, mailbox, from);
  const body = { html: request.body?.html ?? null, text: request.body?.text ?? null };
  const finished = await inFairOrder(workspaceId, () => finishBody(body, signature?.html ?? null));
  const composition = {
    messageId: messageIdOf(operation, from.email),
    date,
    from,
    ...recipientsOf(request),
    subject: request.subject,
    inReplyTo: request.inReplyTo ?? null,
    references: referencesOf(request, answered),
    ...finished,
  };
  return { mailbox, composition, signature };
}

function answeredBy({ mailboxId, inReplyTo }: ComposeRequest, mailReader: MailReaderStore, call: Budget) {
  return inReplyTo === undefined ? null : mailReader.answered(call.workspaceId, mailboxId, inReplyTo, call);
}

export function requireActive(mailbox: SendingMailbox | null): asserts mailbox is SendingMailbox {
  if (!mailbox) throw new ApiError('MAILBOX_NOT_FOUND');
  if (mailbox.status !== 'active') throw new ApiError('MAILBOX_INACTIVE');
}

/** One id of ours for each operation, however often it runs; its domain is the sender's, as receivers expect. */
export function messageIdOf(operation: string, from: string): string {
  const unique = createHash('sha256').update(operation).digest('hex').slice(0, 40);
  return `<${unique}@${toAsciiDomain(from).slice(from.lastIndexOf('@') + 1)}>`;
}

/** Each address once: an address in To is left out of Cc and Bcc. */
function recipientsOf({ to, cc, bcc }: ComposeRequest): Pick<Composition, 'to' | 'cc' | 'bcc'> {
  const seen = new Set<string>();
  const fresh = (addresses: readonly EmailAddress[]): NamedAddress[] =>
    addresses
      .filter(({ email }) => !seen.has(addressKey(email)) && seen.add(addressKey(email)))
      .map(({ email, name }) => ({ email: email.trim(), name: name ?? null }));
  return { to: fresh(to), cc: fresh(cc), bcc: fresh(bcc) };
}

function referencesOf({ inReplyTo, references }: ComposeRequest, answered: AnsweredEmail | null): string[] {
  if (inReplyTo === undefined) return references;
  const before = answered ? answered.references : references;
  const all = [...new Set([...before, inReplyTo])];
  return all.length <= MOST_REFERENCES ? all : [...all.slice(0, 1), ...all.slice(1 - MOST_REFERENCES)];
}
