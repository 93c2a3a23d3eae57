import { ApiError } from '@postroom/errors/api-error';
import type { SendDocument } from '@postroom/mail-store/documents/send';
import { addressedOf } from '@postroom/mail-store/own-sender';
import {
  type AnsweredEmail,
  StoreOutgoingRequest,
  UpdateOutgoingRequest,
} from '@postroom/proto/postroom/v1/mailbox_write';
import { ComposeRequest, ScheduleReplyRequest } from '@postroom/proto/postroom/v1/outbound_send';
import type { Email } from '@postroom/proto/postroom/v1/resources';
import type { Call } from '@postroom/rpc/call';
import type { MailboxWriteServiceDefinition } from '@postroom/proto/postroom/v1/mailbox_write';
import type { OutboundSendServiceDefinition } from '@postroom/proto/postroom/v1/outbound_send';
import type { Client, Handlers } from '@postroom/rpc/definition';
import type { ServiceContext } from '@postroom/runtime/service';
import type { MailReaderStore } from '../mail-reader/mail-reader-store.ts';
import type { SendStore } from '../stored-sends/send-store.ts';
import { addresseeOf, mayBeAnswered } from './answering.ts';
import { automaticHeaders } from '../compose/automatic.ts';
import { compose } from '../compose/compose.ts';
import { inFairOrder } from '../compose/fair-order.ts';
import { type Composed, compositionOf, requireActive } from '../compose/build-composition.ts';
import { subjectOfReply } from '../compose/subjects.ts';
import { correspondentOf } from '../correspondents/correspondent.ts';
import { fingerprintOf, newSend, sendIdOf } from '../new-send/new-send.ts';
import { answeredOf } from '../answered-emails/answered-emails.ts';
import type { ReplyStore, Standing } from './reply-store.ts';
import { wouldReplyTooOften } from './reply-rate-limit.ts';

const MINUTE_MS = 60_000;
/** It is later than any repeat of the call that prepares a reply. */
const LEFT_AFTER_MS = 10 * MINUTE_MS;

interface Reply extends Composed {
  answered: AnsweredEmail | undefined;
  /** Whether it may go out by itself, whatever the rule says. */
  mayGoOut: boolean;
}

/** Replies that a rule prepares: a draft that is sent at its time unless somebody stops it. */
export interface ReplyDeps {
  context: Pick<ServiceContext, 'clock'>;
  sends: SendStore;
  mailReader: MailReaderStore;
  replies: Pick<ReplyStore, 'standing' | 'countAround'>;
  mailboxWrite: Pick<Client<MailboxWriteServiceDefinition>, 'storeOutgoing' | 'updateOutgoing'>;
  sender: { wake(): void };
}

export function replyHandlers(deps: ReplyDeps) {
  return {
    async scheduleReply(request, call) {
      const { sends, sender } = deps;
      const { workspaceId } = call;
      const standing = await deps.replies.standing(workspaceId, deps.context.clock.now());
      if (standing === 'unpaid') throw new ApiError('PLAN_REQUIRED');
      const reply = await composeReply(request, standing, call, deps);
      const reserved = await reserve(request, reply, call, deps);
      if (reserved?.draftId) return { draftId: reserved.draftId };
      const send = await cancelTooMany(reserved, deps);
      const draft = await keepDraft(request, reply, send, call, deps);
      if (send && draft.scheduledSendAt === undefined)
        await cancelReserved(send, 'it was left to a person before', deps);
      // From here on the draft is visible and can be canceled. It is sent at its time.
      const due = send && { draftId: draft.id, nextAt: send.scheduledSendAt };
      if (due && (await sends.advance(workspaceId, send, ['scheduled'], due))) sender.wake();
      else await showIfCanceled(draft, call, deps);
      return { draftId: draft.id };
    },
  } satisfies Partial<Handlers<OutboundSendServiceDefinition>>;
}

async function composeReply(
  request: ScheduleReplyRequest,
  standing: Standing,
  call: Call,
  { mailReader, context }: ReplyDeps,
) {
  const { workspaceId } = call;
  const source = await mailReader.source(workspaceId, request.emailId, call);
  if (!source) throw new ApiError('EMAIL_NOT_FOUND');
  const mailbox = await mailReader.mailbox(workspaceId, source.mailboxId, call);
  requireActive(mailbox);
  const { email, name } = addresseeOf(source, mailbox);
  const asked = ComposeRequest.create({
    mailboxId: source.mailboxId,
    from: addressedOf(source, mailbox),
    to: [{ email, ...(name !== null && { name }) }],
    subject: subjectOfReply(source.subject),
    body: { text: request.text },
    inReplyTo: source.messageId,
  });
  const about = { operation: sendIdOf(call), date: context.clock.date() };
  const reply = await compositionOf(asked, about, mailReader, call, { mailbox, answered: source });
  const mayGoOut = standing === 'paid' && mayBeAnswered(source, { email, name }, request.text, mailbox);
  return { ...reply, answered: answeredOf(source), mayGoOut };
}

/**
 * Stores the send and its time before its draft, so that a repeat continues it with the same values. It is not sent
 * before its draft exists, and it is canceled when no repeat comes. Null when the reply is to stay a draft, and no earlier
 * call has reserved it.
 */
async function reserve(
  request: ScheduleReplyRequest,
  reply: Reply,
  call: Call,
  deps: ReplyDeps,
): Promise<SendDocument | null> {
  const { sends, context } = deps;
  if (request.draftOnly || !reply.mayGoOut) return sends.find(call.workspaceId, sendIdOf(call));
  const { composition, mailbox } = reply;
  const scheduledSendAt = new Date(context.clock.now() + request.delayMinutes * MINUTE_MS);
  const fields = {
    kind: 'reply',
    mailboxId: mailbox._id,
    sourceEmailId: request.emailId,
    ruleId: request.ruleId,
    ...(request.ruleUpdatedAt !== undefined && { ruleUpdatedAt: new Date(request.ruleUpdatedAt) }),
    correspondent: correspondentOf(composition.to[0]?.email ?? ''),
    scheduledSendAt,
    nextAt: new Date(scheduledSendAt.getTime() + LEFT_AFTER_MS),
    fingerprint: fingerprintOf(ScheduleReplyRequest.encode(request).finish()),
  } as const;
  const headers = automaticHeaders('auto-replied', mailbox._id);
  const send = await newSend(call, { ...composition, headers }, fields);
  return (await sends.insert(call.workspaceId, send)) ? send : sends.find(call.workspaceId, send._id);
}

/** Counted when it is there: of two at once each sees the other, and there is never one too many. */
async function cancelTooMany(send: SendDocument | null, deps: ReplyDeps): Promise<SendDocument | null> {
  if (send?.state !== 'scheduled') return null;
  if (!(await wouldReplyTooOften(send, deps.replies))) return send;
  await cancelReserved(send, 'the sender has been answered often enough within an hour', deps);
  return null;
}

/** A reply that was canceled between two attempts is not shown as scheduled. */
async function showIfCanceled(draft: Email, call: Call, { sends, mailboxWrite }: ReplyDeps): Promise<void> {
  if (draft.scheduledStatus !== 'pending') return;
  const send = await sends.find(call.workspaceId, sendIdOf(call));
  const update = UpdateOutgoingRequest.create({ emailId: draft.id, scheduledStatus: 'canceled' });
  if (send?.state === 'canceled') await mailboxWrite.updateOutgoing(update, call);
}

async function keepDraft(
  { ruleId }: ScheduleReplyRequest,
  { composition, mailbox, signature, answered }: Reply,
  send: SendDocument | null,
  call: Call,
  { mailboxWrite }: ReplyDeps,
) {
  // A draft that a person reviews and sends is that person's mail. Only an automatic reply is marked as automatic.
  const raw = send?.wire ?? (await inFairOrder(call.workspaceId, () => compose(composition))).kept;
  const scheduled = send?.scheduledSendAt && {
    scheduledSendAt: send.scheduledSendAt.toISOString(),
    scheduledStatus: 'pending',
  };
  const draft = StoreOutgoingRequest.create({
    mailboxId: mailbox._id,
    folderType: 'DRAFTS',
    raw,
    source: 'auto_draft',
    ruleId: send?.ruleId ?? ruleId,
    ...(signature && { signature: signature._id }),
    ...(answered && { answered }),
    ...scheduled,
  });
  return mailboxWrite.storeOutgoing(draft, call);
}

async function cancelReserved(send: SendDocument, lastError: string, { sends, context }: ReplyDeps): Promise<void> {
  const over = { state: 'canceled', lastError, wire: null, kept: null, nextAt: null } as const;
  await sends.advance(send.workspaceId, send, ['scheduled'], { ...over, updatedAt: context.clock.date() });
}
