import { isAtLeast } from '@postroom/contract/roles';
import { ApiError } from '@postroom/errors/api-error';
import type { ApprovalPart, SendDocument, ShownMessagePart } from '@postroom/mail-store/documents/send';
import {
  Approval,
  type DecideApprovalRequest,
  type GetApprovalRequest,
  type OutboundSendOperatorServiceDefinition,
  type OutboundSendServiceDefinition,
} from '@postroom/proto/postroom/v1/outbound_send';
import type { Body } from '@postroom/proto/postroom/v1/resources';
import type { Call } from '@postroom/rpc/call';
import type { Handlers } from '@postroom/rpc/definition';
import { type AgentDeps, requireMember, requireNotStopped, requireStanding } from '../agents/agents.ts';
import type { ApprovalStore, WaitingSend } from './approval-store.ts';

export type { ApprovalStore } from './approval-store.ts';

export interface ApprovalDeps extends AgentDeps {
  approvals: ApprovalStore;
  sender: { wake(): void };
}

const MOST = 200;
const APPROVAL = /^(snd_[^.]+)\./;

/** The person who decides; null for an operator, who may decide everything. */
type Decider = { personId: string; isAdmin: boolean } | null;

/** The send is in the name of its approval, which changes with the content. */
export const approvalIdOf = (sendId: string, unique: string): string => `${sendId}.${unique}`;

export function approvalHandlers(deps: ApprovalDeps) {
  const decider = async (actorId: string, call: Call): Promise<Decider> => {
    const role = await requireMember(call.workspaceId, actorId, deps, call);
    return { personId: actorId, isAdmin: isAtLeast(role, 'admin') };
  };
  return {
    listApprovals: async ({ actorId }, call) => list(await decider(actorId, call), deps, call),
    countApprovals: async (_request, call) => count(deps, call),
    getApproval: async (request, call) => show(request, await decider(request.actorId, call), deps, call),
    decideApproval: async (request, call) => decide(request, await decider(request.actorId, call), deps, call),
  } satisfies Partial<Handlers<OutboundSendServiceDefinition>>;
}

export function approvalOperatorHandlers(deps: ApprovalDeps) {
  return {
    listWaitingSends: (_request, call) => list(null, deps, call),
    getWaitingSend: (request, call) => show(request, null, deps, call),
    decideWaitingSend: (request, call) => decide(request, null, deps, call),
  } satisfies Partial<Handlers<OutboundSendOperatorServiceDefinition>>;
}

/** A member decides on what their own clients ask for. */
const mayDecide = ({ agent }: Pick<SendDocument, 'agent'>, decider: Decider): boolean =>
  decider === null || decider.isAdmin || agent?.personId === decider.personId;

async function list(decider: Decider, { approvals, context }: ApprovalDeps, call: Call) {
  const waiting = await approvals.waiting(call.workspaceId, context.clock.date(), MOST, call);
  return { items: waiting.filter((send) => mayDecide(send, decider)).flatMap(toMessageApproval) };
}

async function count({ approvals, context }: ApprovalDeps, call: Call) {
  const waiting = await approvals.waitingAgents(call.workspaceId, context.clock.date(), MOST, call);
  const people = new Map<string | undefined, number>();
  for (const { agent } of waiting) {
    const personId = agent?.personId ?? undefined;
    people.set(personId, (people.get(personId) ?? 0) + 1);
  }
  return { items: [...people].map(([personId, sends]) => ({ personId, waiting: sends })) };
}

async function find(approvalId: string, decider: Decider, { approvals }: ApprovalDeps, call: Call) {
  const [, sendId = ''] = APPROVAL.exec(approvalId) ?? [];
  const send = await approvals.find(call.workspaceId, sendId, call);
  const approval = send?.approval;
  if (!send || approval?.id !== approvalId || !mayDecide(send, decider))
    throw new ApiError('NOT_FOUND', { message: 'There is no such approval; the draft may have been changed since.' });
  return { send, approval };
}

async function show(request: GetApprovalRequest, decider: Decider, deps: ApprovalDeps, call: Call) {
  const { send, approval } = await find(request.approvalId, decider, deps, call);
  const [shown] = toMessageApproval(send);
  if (!shown || !isWaiting(send, approval, deps)) throw tooLate();
  return { ...shown, body: toMessageBody(approval.shown) };
}

async function decide(request: DecideApprovalRequest, decider: Decider, deps: ApprovalDeps, call: Call) {
  const { approvals, sender } = deps;
  const { workspaceId } = call;
  const { send, approval } = await find(request.approvalId, decider, deps, call);
  const decision = request.approve ? 'approved' : 'refused';
  const answer = { draftId: send.draftId ?? '' };
  if (approval.decision === decision) return answer;
  if (request.approve) await requireNotStopped(workspaceId, deps, call);
  const decided = changeFor(send, approval, decision, decider, deps);
  if (request.approve) await requireStanding(workspaceId, send.agent, deps, call);
  if (!(await approvals.decide(workspaceId, send, decided, call))) throw tooLate();
  sender.wake();
  return answer;
}

/** One write: the decision and the send that follows from it cannot come apart. */
function changeFor(
  send: WaitingSend,
  approval: ApprovalPart,
  decision: 'approved' | 'refused',
  decider: Decider,
  deps: ApprovalDeps,
): Partial<SendDocument> {
  const now = deps.context.clock.date();
  if (!isWaiting(send, approval, deps)) throw tooLate();
  const decided = { ...approval, decision, decidedBy: decider?.personId ?? null, decidedAt: now };
  if (decision === 'approved')
    return { state: 'scheduled', approval: decided, scheduledSendAt: now, nextAt: now, updatedAt: now };
  const over = { state: 'canceled', lastError: 'a person refused it', wire: null, kept: null, nextAt: null } as const;
  return { ...over, approval: decided, updatedAt: now };
}

const isWaiting = (
  { state }: WaitingSend,
  { expiresAt }: ApprovalPart,
  { context: { clock } }: ApprovalDeps,
): boolean => state === 'awaiting_approval' && expiresAt > clock.date();

const tooLate = (): ApiError =>
  new ApiError('CONFLICT', { message: 'This approval was decided already, or its 24 hours are over.' });

function toMessageApproval({ _id, mailboxId, draftId, from, agent, approval, createdAt }: WaitingSend): Approval[] {
  if (!approval || !agent) return [];
  const { id, shown, expiresAt } = approval;
  const { to, cc, bcc, subject } = shown;
  return [
    Approval.create({
      id,
      draftId: draftId ?? _id,
      mailboxId,
      from,
      to,
      cc,
      bcc,
      subject,
      agentName: agent.name,
      agentId: agent.id,
      personId: agent.personId ?? undefined,
      createdAt: createdAt.toISOString(),
      expiresAt: expiresAt.toISOString(),
    }),
  ];
}

function toMessageBody({ html, text }: ShownMessagePart): Body {
  return { html: html ?? undefined, text: text ?? undefined };
}
