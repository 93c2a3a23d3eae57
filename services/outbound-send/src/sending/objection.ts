import type { SendDocument } from '@postroom/mail-store/documents/send';
import type { Clock } from '@postroom/runtime/clock';
import type { ObjectionStore } from '../objection-store.ts';

interface Deps {
  store: ObjectionStore;
  clock: Clock;
}

type Check = (send: SendDocument, deps: Deps) => Promise<boolean>;

const isActive: [string, Check] = [
  'the mailbox is disconnected',
  (send, { store }) => store.mailboxIsActive(send.workspaceId, send),
];

/** What must still be so, each with what is said where it is not. */
const CHECKS: Readonly<Record<SendDocument['kind'], readonly [string, Check][]>> = {
  send: [],
  forward: [isActive, ['the rule is off or gone', (send, { store }) => store.ruleForwards(send.workspaceId, send)]],
  reply: [
    isActive,
    ['the subscription has ended', ({ workspaceId }, { store, clock }) => store.planAllows(workspaceId, clock.now())],
    ['the rule is off or gone', (send, { store }) => store.ruleReplies(send.workspaceId, send)],
    ['the draft is in the trash', ({ workspaceId, draftId }, { store }) => store.isInPlace(workspaceId, draftId)],
    ['the email is in the trash', ({ workspaceId, sourceEmailId: id }, { store }) => store.isInPlace(workspaceId, id)],
    ['somebody has answered', async (send, { store }) => !(await store.isAnswered(send.workspaceId, send))],
  ],
};

/** Why what has waited must not go out any more; null where nothing stands in its way. */
export async function objectionTo(send: SendDocument, deps: Deps): Promise<string | null> {
  for (const [objection, isSo] of CHECKS[send.kind]) if (!(await isSo(send, deps))) return objection;
  return null;
}
