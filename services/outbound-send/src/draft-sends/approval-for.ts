import type { AgentPart, SendDocument } from '@postroom/mail-store/documents/send';
import { deterministicIdOf } from '@postroom/mail-store/create-once';
import type { Call } from '@postroom/rpc/call';
import { notAllowed } from '../agents/agents.ts';
import { approvalIdOf } from '../approvals/approvals.ts';
import { holdSend, type SendOperation, underWay } from '../send-now/send-now.ts';
import { shownOfDraft } from './draft-message.ts';
import type { DraftSendDeps, LoadedDraft } from './load-draft.ts';

const EXPIRES_MS = 24 * 3_600_000;

/** The send that waits for a person: the earlier one where the draft still says the same, else a new one. */
export async function approvalFor(
  what: SendOperation,
  { draft, mailbox, composition, fingerprint }: LoadedDraft,
  agent: AgentPart,
  deps: DraftSendDeps,
  call: Call,
): Promise<SendDocument> {
  const { sends, context } = deps;
  const { known, operation } = what;
  if (known && known.fingerprint === fingerprint) {
    if (known.approval?.decision === 'refused') throw notAllowed('A person has refused to send this draft.');
    if (known.state === 'awaiting_approval' && !isOver(known, context.clock.now())) return known;
  }
  const expiresAt = new Date(context.clock.now() + EXPIRES_MS);
  const approval = {
    id: approvalIdOf(deterministicIdOf('snd', operation), context.ids('apr')),
    shown: shownOfDraft(composition),
    expiresAt,
    decision: null,
    decidedBy: null,
    decidedAt: null,
  };
  const said = { kind: 'approved', state: 'awaiting_approval', mailboxId: mailbox._id, fingerprint } as const;
  const message = { composition, said: { ...said, draftId: draft._id, agent, approval } };
  // At the end of the approval the worker takes it up, and cancels it.
  const held = await holdSend(what, message, expiresAt, deps);
  const stored = held ?? (await sends.find(call.workspaceId, deterministicIdOf('snd', operation)));
  // The send of another call has ended meanwhile, and the client would wait for it in vain.
  if (!stored || stored.state === 'failed' || stored.state === 'canceled') throw underWay();
  return stored;
}

const isOver = ({ approval }: SendDocument, now: number): boolean => !approval || approval.expiresAt.getTime() <= now;
