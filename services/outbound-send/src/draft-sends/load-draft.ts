import type { ScheduledStatus } from '@postroom/contract/lists';
import { ApiError } from '@postroom/errors/api-error';
import { deterministicIdOf } from '@postroom/mail-store/create-once';
import type { SendDocument } from '@postroom/mail-store/documents/send';
import type { MailboxWriteServiceDefinition } from '@postroom/proto/postroom/v1/mailbox_write';
import { UpdateOutgoingRequest } from '@postroom/proto/postroom/v1/mailbox_write';
import type { Call } from '@postroom/rpc/call';
import type { Client } from '@postroom/rpc/definition';
import type { ServiceContext } from '@postroom/runtime/service';
import { type AgentDeps, notAllowed } from '../agents/agents.ts';
import { bodyOf, type StoredBodyDeps } from '../bodies/body-of.ts';
import type { Composition } from '../compose/composition.ts';
import { requireActive } from '../compose/build-composition.ts';
import type { MailReaderStore, SendingMailbox, StoredDraft } from '../mail-reader/mail-reader-store.ts';
import type { SendNowDeps } from '../send-now/send-now.ts';
import type { SendStore } from '../stored-sends/send-store.ts';
import { compositionOfDraft, fingerprintOfDraft, strangersOf } from './draft-message.ts';

interface EndReplyDeps {
  context: Pick<ServiceContext, 'clock'>;
  sends: Pick<SendStore, 'find' | 'advance'>;
  mailboxWrite: Pick<Client<MailboxWriteServiceDefinition>, 'updateOutgoing'>;
}

export interface LoadDraftDeps extends StoredBodyDeps, EndReplyDeps {
  mailReader: MailReaderStore;
}

export interface DraftSendDeps extends LoadDraftDeps, SendNowDeps, AgentDeps {
  context: Pick<ServiceContext, 'clock' | 'log' | 'ids'>;
  sends: SendStore;
}

type Within = Pick<Call, 'workspaceId' | 'remainingMs'>;

export interface LoadedDraft {
  draft: StoredDraft;
  mailbox: SendingMailbox;
  composition: Composition;
  fingerprint: string;
}

/** A person names the state of the draft that they saw. A reply that waits is stopped where they send it. */
export async function loadDraft(
  draftId: string,
  operation: { workspaceId: string; operationId: string },
  call: Within,
  deps: LoadDraftDeps,
  seenDate?: string,
  by: Asking = seenDate === undefined ? 'agent' : 'person',
): Promise<LoadedDraft> {
  const { mailReader, context } = deps;
  const { workspaceId } = call;
  const draft = await mailReader.draft(workspaceId, draftId, call);
  if (!draft) throw new ApiError('DRAFT_NOT_FOUND');
  if (seenDate !== undefined) requireAsSeen(draft, seenDate);
  await releaseFromReply(draft, call, deps, by);
  const [mailbox, body] = await Promise.all([
    mailReader.mailbox(workspaceId, draft.mailboxId, call),
    bodyOf(draft, deps, call).catch(notInItsLocation),
  ]);
  if (body.isFetched) await requireStanding(draft, call, deps);
  // A send that has begun asks whether its draft is the same, and its mailbox may have been disconnected since.
  if (by !== 'its send' || !mailbox) requireActive(mailbox);
  const about = { operation: deterministicIdOf('snd', operation), date: context.clock.date() };
  const composition = compositionOfDraft(draft, body, mailbox, about);
  return { draft, mailbox, composition, fingerprint: fingerprintOfDraft(composition) };
}

/** A mail program changes a draft in its place, with a new date. */
function requireAsSeen({ date }: StoredDraft, seenDate: string): void {
  if (date.toISOString() === seenDate) return;
  throw wasChanged();
}

/** Its provider gave the body of the version that the draft has now. */
async function requireStanding({ _id, bodyVersion }: StoredDraft, call: Within, { mailReader }: LoadDraftDeps) {
  const now = await mailReader.draft(call.workspaceId, _id, call);
  if (!now || now.bodyVersion !== bodyVersion) throw wasChanged();
}

/** A mail program has saved a later version meanwhile. */
function notInItsLocation(error: unknown): never {
  throw error instanceof ApiError && error.code === 'NOT_FOUND' ? wasChanged() : error;
}

const wasChanged = (): ApiError =>
  new ApiError('CONFLICT', { message: 'This draft was changed after you opened it. Read it again first.' });

/** A send that is taken up again may have marked its draft before its process ended. An edit may be refused later on. */
type Asking = 'agent' | 'person' | 'edit' | 'its send';

/** A draft that a rule prepared may still leave by itself. One that a person has stopped, or stops now, is free. */
async function releaseFromReply(draft: StoredDraft, call: Within, deps: LoadDraftDeps, by: Asking): Promise<void> {
  const { scheduledStatus } = draft;
  if (scheduledStatus === null) return;
  const isMarked = scheduledStatus === 'sending';
  if (isMarked && by !== 'its send') throw isLeaving('draft');
  const isFree = scheduledStatus === 'canceled' || scheduledStatus === 'failed';
  // The reply ends behind its draft, once the edit has thrown that away. The call that began its send has ended it before,
  // and a mail program may have taken the draft over since.
  if (by === 'edit' || isMarked || (by === 'its send' && isFree)) return requireNotLeaving(draft, call, deps);
  if (by !== 'person' && !isFree)
    throw new ApiError('CONFLICT', { message: 'This draft is a reply that leaves by itself at its time.' });
  await endReply(draft, {}, call, deps);
}

/** The time after which the worker marks the draft of a reply whose end was not finished by its call. */
const UNFINISHED_MS = 60_000;

/** A reply that waits is canceled, and its draft gets the state. `CONFLICT` where the reply is leaving, or has left. */
export async function endReply(
  { _id: emailId, operation }: Pick<StoredDraft, '_id' | 'operation'>,
  shown: { scheduledStatus?: ScheduledStatus },
  call: Within,
  { sends, mailboxWrite, context }: EndReplyDeps,
): Promise<void> {
  const { workspaceId } = call;
  const reply = operation === undefined ? null : await sends.find(workspaceId, operation);
  const isLeft = reply !== null && !isOver(reply);
  const nextAt = new Date(context.clock.now() + UNFINISHED_MS);
  const stopped = { ...STOPPED, nextAt, updatedAt: context.clock.date() };
  if (isLeft && !(await sends.advance(workspaceId, reply, ['scheduled'], stopped))) {
    // Another call has stopped it meanwhile, such as the earlier one of a caller whose time ran out.
    const now = await sends.find(workspaceId, reply._id);
    if (now && !isOver(now)) throw isLeaving('reply');
  }
  await mailboxWrite
    .updateOutgoing(UpdateOutgoingRequest.create({ emailId, ...shown }), { workspaceId })
    .catch(noDraft);
  if (isLeft) await sends.advance(workspaceId, reply, ['canceled'], { nextAt: null });
}

/** Ends the reply of a draft that is gone. Without this, the worker finds no draft at its time, and cancels it. */
export async function endReplyOfGone(
  { operation }: Pick<StoredDraft, 'operation'>,
  { workspaceId }: Within,
  { sends, context }: Omit<EndReplyDeps, 'mailboxWrite'>,
): Promise<void> {
  const reply = operation === undefined ? null : await sends.find(workspaceId, operation);
  const stopped = { ...STOPPED, nextAt: null, updatedAt: context.clock.date() };
  if (reply) await sends.advance(workspaceId, reply, ['scheduled'], stopped);
}

async function requireNotLeaving(
  { operation }: Pick<StoredDraft, 'operation'>,
  { workspaceId }: Within,
  { sends }: Pick<EndReplyDeps, 'sends'>,
): Promise<void> {
  const reply = operation === undefined ? null : await sends.find(workspaceId, operation);
  if (reply && reply.state !== 'scheduled' && !isOver(reply)) throw isLeaving('reply');
}

const isOver = ({ state }: SendDocument): boolean => state === 'canceled' || state === 'failed';

const isLeaving = (what: 'draft' | 'reply'): ApiError =>
  new ApiError('CONFLICT', { message: `This ${what} is leaving now, or has left already.` });

export const draftIsGone = (): ApiError =>
  new ApiError('DRAFT_NOT_FOUND', { message: 'This draft was sent, changed or thrown away meanwhile.' });

function noDraft(error: unknown): never {
  throw error instanceof ApiError && error.code === 'EMAIL_NOT_FOUND' ? draftIsGone() : error;
}

const STOPPED = { state: 'canceled', lastError: 'a person stopped it', wire: null, kept: null } as const;

/** Throws unless every recipient, Cc and Bcc included, takes part in the thread already. */
export async function requireParticipants(
  { draft, composition, mailbox }: LoadedDraft,
  call: Within,
  { mailReader }: Pick<DraftSendDeps, 'mailReader'>,
): Promise<void> {
  const thread = draft.threadId === null ? [] : await mailReader.participants(call.workspaceId, draft, call);
  if (thread.length === 0)
    throw notAllowed('This client may only answer in threads, and the draft answers no email of its mailbox.');
  const people = thread.flatMap(({ from, to, cc }) => [from, ...to, ...cc]);
  const strangers = strangersOf(composition, people, mailbox);
  if (strangers.length === 0) return;
  const recipients = [...new Set(strangers)];
  throw notAllowed('This client may only write to participants of the thread; see details.', { recipients });
}
