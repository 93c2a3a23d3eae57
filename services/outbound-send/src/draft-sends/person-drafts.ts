import { isAtLeast } from '@postroom/contract/roles';
import { ApiError } from '@postroom/errors/api-error';
import type { OutboundSendServiceDefinition } from '@postroom/proto/postroom/v1/outbound_send';
import { deterministicIdOf } from '@postroom/mail-store/create-once';
import type { Call } from '@postroom/rpc/call';
import type { Handlers } from '@postroom/rpc/definition';
import { requireMember } from '../agents/agents.ts';
import type { Budget } from '../compose/build-composition.ts';
import type { ReplyStore } from '../replies/reply-store.ts';
import { notKnown, refusedOrNotKnown, sendNow } from '../send-now/send-now.ts';
import { answerEarlier, isOneAgain, MAY_BEGIN_AGAIN, operationOf, toMessageResult } from './draft-operation.ts';
import { draftIsGone, type DraftSendDeps, endReply, loadDraft } from './load-draft.ts';
import { replaceDraft, type ReplaceDraftDeps } from './replace-draft.ts';

export type PersonDraftDeps = DraftSendDeps & ReplaceDraftDeps & { replies: Pick<ReplyStore, 'standing'> };

/** The work of people on drafts and on replies that wait. Members stop replies; owners and admins also edit and send. */
export function personDraftHandlers(deps: PersonDraftDeps) {
  return {
    stopReply: async ({ actorId, draftId }, call) => {
      await requireMember(call.workspaceId, actorId, deps, call);
      const draft = await deps.mailReader.draft(call.workspaceId, draftId, call);
      if (!draft) throw draftIsGone();
      if (draft.scheduledStatus === null)
        throw new ApiError('CONFLICT', {
          message: 'This draft does not leave by itself, so there is nothing to cancel.',
        });
      await endReply(draft, { scheduledStatus: 'canceled' }, call, deps);
      return { draftId };
    },

    sendOwnDraft: async ({ actorId, draftId, seenDate }, call) => {
      await requireSender(actorId, call, deps).catch(refusedOrNotKnown);
      const operation = operationOf(draftId, call);
      const known = await deps.sends.find(call.workspaceId, deterministicIdOf('snd', operation)).catch(notKnown);
      if (known && !isOneAgain(known)) return answerEarlier(known, draftId, deps).catch(refusedOrNotKnown);
      const compose = async (budget: Budget) => {
        const loaded = await loadDraft(draftId, operation, budget, deps, seenDate).catch(goneInWords);
        const { mailbox, composition, fingerprint } = loaded;
        const said = { kind: 'send', mailboxId: mailbox._id, fingerprint, draftId, agent: null } as const;
        return { composition, said };
      };
      return toMessageResult(await sendNow({ operation, known, from: MAY_BEGIN_AGAIN }, compose, call, deps), draftId);
    },

    replaceDraft: async (request, call) => {
      await requireSender(request.actorId, call, deps);
      const operation = operationOf(request.draftId, call);
      const known = await deps.sends.find(call.workspaceId, deterministicIdOf('snd', operation));
      if (known && !isOneAgain(known))
        throw new ApiError('CONFLICT', { message: 'This draft is leaving now, or has left already.' });
      const load = () => loadDraft(request.draftId, operation, call, deps, request.seenDate, 'edit').catch(goneInWords);
      return { draftId: await replaceDraft({ request, operation, known, load }, call, deps) };
    },
  } satisfies Partial<Handlers<OutboundSendServiceDefinition>>;
}

async function requireSender(actorId: string, call: Call, deps: PersonDraftDeps): Promise<void> {
  const role = await requireMember(call.workspaceId, actorId, deps, call);
  if (!isAtLeast(role, 'admin')) throw new ApiError('ROLE_NOT_ALLOWED', { details: { role, needed: 'admin' } });
  const standing = await deps.replies.standing(call.workspaceId, deps.context.clock.now());
  if (standing === 'suspended') throw new ApiError('WORKSPACE_SUSPENDED');
}

function goneInWords(error: unknown): never {
  throw error instanceof ApiError && error.code === 'DRAFT_NOT_FOUND' ? draftIsGone() : error;
}
