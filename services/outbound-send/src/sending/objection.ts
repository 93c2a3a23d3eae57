import type { SendDocument } from '@postroom/mail-store/documents/send';
import type { Clock } from '@postroom/runtime/clock';
import type { ObjectionStore } from '../objection-store.ts';
import type { ReplyStore } from '../reply-store.ts';
import { isOneTooMany } from './replies-within.ts';

interface Deps {
  store: ObjectionStore;
  replies: ReplyStore;
  clock: Clock;
  /** Of one mailbox. */
  repliesPerHour: number;
  forwardsPerHour: { rule: number; workspace: number };
}

type Check = (send: SendDocument, deps: Deps) => Promise<boolean>;

const isActive: [string, Check] = [
  'the mailbox is disconnected',
  (send, { store }) => store.mailboxIsActive(send.workspaceId, send),
];

/** What is said where an hour's forwards are used up, by whose they are. */
export const BOUNDS = {
  rule: 'the rule has forwarded as many emails within an hour as it may',
  workspace: 'the rules of the workspace have forwarded as many emails within an hour as they may',
} as const;

/** What must still be so, each with what is said where it is not. */
const CHECKS: Readonly<Record<SendDocument['kind'], readonly [string, Check][]>> = {
  send: [],
  remainder: [isActive],
  forward: [
    isActive,
    ['the workspace is suspended', ({ workspaceId }, { store }) => store.workspaceIsActive(workspaceId)],
    [
      'the rule is off or gone, or forwards to another address now',
      (send, { store }) => store.ruleForwards(send.workspaceId, send),
    ],
    [
      'the email was thrown away, or is spam',
      ({ workspaceId, sourceEmailId: id }, { store }) => store.isInPlace(workspaceId, id),
    ],
    [
      BOUNDS.rule,
      async (send, { store, forwardsPerHour: { rule } }) =>
        (await store.countBefore(send.workspaceId, send, { ruleId: send.ruleId }, rule)) < rule,
    ],
    [
      BOUNDS.workspace,
      async (send, { store, forwardsPerHour: { workspace } }) =>
        (await store.countBefore(send.workspaceId, send, {}, workspace)) < workspace,
    ],
  ],
  reply: [
    ['whoever prepared it did not come to its end', async ({ draftId }) => draftId !== null],
    isActive,
    [
      'the subscription has ended',
      ({ workspaceId }, { replies, clock }) => replies.planAllows(workspaceId, clock.now()),
    ],
    ['the rule is off or gone', (send, { replies }) => replies.ruleReplies(send.workspaceId, send)],
    ['the draft is in the trash', ({ workspaceId, draftId }, { store }) => store.isInPlace(workspaceId, draftId)],
    [
      'the email was thrown away, or is spam',
      ({ workspaceId, sourceEmailId: id }, { store }) => store.isInPlace(workspaceId, id),
    ],
    ['somebody works on the draft', (send, { store }) => store.isStillScheduled(send.workspaceId, send)],
    ['somebody has answered', async (send, { replies }) => !(await replies.isAnswered(send.workspaceId, send))],
    ['the sender has been answered often enough', async (send, { replies }) => !(await isOneTooMany(send, replies))],
    [
      'the mailbox has answered as many emails within an hour as it may',
      async (send, { store, repliesPerHour: most }) =>
        (await store.countBefore(send.workspaceId, send, { mailboxId: send.mailboxId }, most)) < most,
    ],
  ],
};

/** Why what has waited must not go out any more; null where nothing stands in its way. */
export async function objectionTo(send: SendDocument, deps: Deps): Promise<string | null> {
  for (const [objection, isSo] of CHECKS[send.kind]) if (!(await isSo(send, deps))) return objection;
  return null;
}
