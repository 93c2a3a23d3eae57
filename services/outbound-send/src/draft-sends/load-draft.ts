import { ApiError } from '@postroom/errors/api-error';
import { deterministicIdOf } from '@postroom/mail-store/create-once';
import type { MailboxWriteServiceDefinition } from '@postroom/proto/postroom/v1/mailbox_write';
import { UpdateOutgoingRequest } from '@postroom/proto/postroom/v1/mailbox_write';
import type { Call } from '@postroom/rpc/call';
import type { Client } from '@postroom/rpc/definition';
import type { ServiceContext } from '@postroom/runtime/service';
import { type AgentDeps, notAllowed } from '../agents/agents.ts';
import { bodyOf, type StoredBodyDeps } from '../bodies/body-of.ts';
import type { Composition } from '../compose/composition.ts';
import { requireActive } from '../compose/composition-of.ts';
import type { SendDirectoryStore, SendingMailbox, StoredDraft } from '../directory/directory-store.ts';
import type { SendNowDeps } from '../send-now/send-now.ts';
import type { SendStore } from '../stored-sends/send-store.ts';
import { compositionOfDraft, fingerprintOfDraft, strangersOf } from './draft-message.ts';

export interface LoadDraftDeps extends StoredBodyDeps {
  context: Pick<ServiceContext, 'clock'>;
  sends: Pick<SendStore, 'find' | 'advance'>;
  directory: SendDirectoryStore;
  mailboxWrite: Pick<Client<MailboxWriteServiceDefinition>, 'updateOutgoing'>;
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

export async function loadDraft(
  draftId: string,
  operation: { workspaceId: string; operationId: string },
  call: Within,
  deps: LoadDraftDeps,
): Promise<LoadedDraft> {
  const { directory, context } = deps;
  const { workspaceId } = call;
  const draft = await directory.draft(workspaceId, draftId, call);
  if (!draft) throw new ApiError('DRAFT_NOT_FOUND');
  await releaseFromReply(draft, call, deps);
  const [mailbox, body] = await Promise.all([
    directory.mailbox(workspaceId, draft.mailboxId, call),
    bodyOf(draft, deps, call),
  ]);
  requireActive(mailbox);
  const about = { operation: deterministicIdOf('snd', operation), date: context.clock.date() };
  const composition = compositionOfDraft(draft, body, mailbox, about);
  return { draft, mailbox, composition, fingerprint: fingerprintOfDraft(composition) };
}

/** A draft that a rule prepared may still leave by itself. Only one that a person has stopped is free. */
async function releaseFromReply(draft: StoredDraft, call: Within, deps: LoadDraftDeps): Promise<void> {
  const { scheduledStatus, operation } = draft;
  if (scheduledStatus === null) return;
  if (scheduledStatus !== 'canceled' && scheduledStatus !== 'failed')
    throw new ApiError('CONFLICT', { message: 'This draft is a reply that leaves by itself at its time.' });
  const { sends, mailboxWrite, context } = deps;
  const reply = operation === undefined ? null : await sends.find(call.workspaceId, operation);
  const isLeft = reply !== null && reply.state !== 'canceled' && reply.state !== 'failed';
  const over = { state: 'canceled', wire: null, kept: null, nextAt: null, updatedAt: context.clock.date() } as const;
  if (isLeft && !(await sends.advance(call.workspaceId, reply, ['scheduled'], over)))
    throw new ApiError('CONFLICT', { message: 'This draft is a reply that is leaving now.' });
  const { workspaceId } = call;
  await mailboxWrite.updateOutgoing(UpdateOutgoingRequest.create({ emailId: draft._id }), { workspaceId });
}

/** Throws unless every recipient, Cc and Bcc included, takes part in the thread already. */
export async function requireParticipants(
  { draft, composition, mailbox }: LoadedDraft,
  call: Within,
  { directory }: Pick<DraftSendDeps, 'directory'>,
): Promise<void> {
  const thread = draft.threadId === null ? [] : await directory.participants(call.workspaceId, draft, call);
  if (thread.length === 0)
    throw notAllowed('This client may only answer in threads, and the draft answers no email of its mailbox.');
  const people = thread.flatMap(({ from, to, cc }) => [from, ...to, ...cc]);
  const strangers = strangersOf(composition, people, mailbox);
  if (strangers.length === 0) return;
  const recipients = [...new Set(strangers)];
  throw notAllowed('This client may only write to participants of the thread; see details.', { recipients });
}
