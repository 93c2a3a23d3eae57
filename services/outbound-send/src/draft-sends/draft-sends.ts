import { deterministicIdOf } from '@postroom/mail-store/create-once';
import { ApiError } from '@postroom/errors/api-error';
import type { SendDocument } from '@postroom/mail-store/documents/send';
import { QUERY_BUDGET } from '@postroom/mail-store/time-limit';
import type { OutboundSendServiceDefinition } from '@postroom/proto/postroom/v1/outbound_send';
import type { Call } from '@postroom/rpc/call';
import type { Handlers } from '@postroom/rpc/definition';
import { countSend, notAllowed, readAgent, requireNotStopped, type SendingAgent } from '../agents/agents.ts';
import { notKnown, refusedOrNotKnown, sendNow } from '../send-now/send-now.ts';
import { approvalFor } from './approval-for.ts';
import { answerEarlier, isOneAgain, MAY_BEGIN_AGAIN, operationOf, toMessageResult } from './draft-operation.ts';
import {
  type DraftSendDeps,
  loadDraft,
  type LoadDraftDeps,
  type LoadedDraft,
  requireParticipants,
} from './load-draft.ts';
import { personDraftHandlers, type PersonDraftDeps } from './person-drafts.ts';

export type { LoadDraftDeps } from './load-draft.ts';
export type { PersonDraftDeps } from './person-drafts.ts';

export function draftSendHandlers(deps: PersonDraftDeps) {
  const { sends } = deps;
  return {
    ...personDraftHandlers(deps),

    sendDraft: async ({ draftId, agent: claimed }, call) => {
      const agent = readAgent(claimed);
      if (agent.level === 'read' || agent.level === 'drafts')
        throw notAllowed('This client may prepare drafts and send none; a person can send the draft.');
      const operation = operationOf(draftId, call);
      const known = await sends.find(call.workspaceId, deterministicIdOf('snd', operation)).catch(notKnown);
      if (known && !isOneAgain(known)) return answerEarlier(known, draftId, deps).catch(refusedOrNotKnown);
      await requireNotStopped(call.workspaceId, deps, call);
      const sent = await sendAsAllowed({ draftId, agent, operation, known }, call, deps);
      return toMessageResult(sent, draftId);
    },

    getDraftSend: async ({ draftId }, call) => {
      const send = await sends.find(call.workspaceId, deterministicIdOf('snd', operationOf(draftId, call)));
      if (!send || send.state === 'failed' || send.state === 'canceled') throw new ApiError('DRAFT_NOT_FOUND');
      return toMessageResult(send, draftId);
    },
  } satisfies Partial<Handlers<OutboundSendServiceDefinition>>;
}

/** Whether the draft of a send that waited still says what it said. */
export const draftIsUnchanged =
  (deps: LoadDraftDeps) =>
  async ({ workspaceId, draftId, fingerprint }: SendDocument): Promise<boolean> => {
    const operation = operationOf(draftId ?? '', { workspaceId });
    const budget = { workspaceId, ...QUERY_BUDGET };
    const load = loadDraft(draftId ?? '', operation, budget, deps, undefined, 'its send');
    const draft = await load.catch(goneAsNull);
    return draft?.fingerprint === fingerprint;
  };

interface Asked {
  draftId: string;
  agent: SendingAgent;
  operation: ReturnType<typeof operationOf>;
  known: SendDocument | null;
}

async function sendAsAllowed(
  { draftId, agent: { agent, level }, operation, known }: Asked,
  call: Call,
  deps: DraftSendDeps,
) {
  const { workspaceId } = call;
  const what = { operation, known, from: MAY_BEGIN_AGAIN };
  const load = async (budget: Pick<Call, 'workspaceId' | 'remainingMs'>): Promise<LoadedDraft> => {
    const draft = await loadDraft(draftId, operation, budget, deps);
    if (level === 'reply') await requireParticipants(draft, budget, deps);
    await countSend(workspaceId, deterministicIdOf('snd', operation), agent, deps, budget);
    return draft;
  };
  if (level === 'approve') return approvalFor(what, await load(call), agent, deps, call);
  const compose = async (budget: Pick<Call, 'workspaceId' | 'remainingMs'>) => {
    const { composition, mailbox, fingerprint } = await load(budget);
    const said = { kind: 'send', mailboxId: mailbox._id, fingerprint, draftId, agent } as const;
    return { composition, said };
  };
  return sendNow(what, compose, call, deps);
}

/** The draft cannot be sent as it is now. Any other error says nothing about it. */
const CHANGED = ['DRAFT_NOT_FOUND', 'CONFLICT', 'VALIDATION_FAILED', 'INVALID_SENDER_ALIAS', 'MAILBOX_INACTIVE'];

function goneAsNull(error: unknown): null {
  if (error instanceof ApiError && CHANGED.includes(error.code)) return null;
  throw error;
}
