import type { SendDocument } from '@postroom/mail-store/documents/send';
import type { Clock } from '@postroom/runtime/clock';
import type { About, EmailsOf, ObjectionStore } from '../objection-store.ts';
import type { ReplyStore } from '../reply-store.ts';
import { isOneTooMany } from './replies-within.ts';

interface Deps {
  store: ObjectionStore;
  replies: ReplyStore;
  clock: Clock;
  /** Of one mailbox. */
  repliesPerHour: number;
}

/** `about` asks once, and only where some check before was passed. */
type Check = (send: SendDocument, deps: Deps, about: () => Promise<EmailsOf>) => Promise<boolean>;

const isInPlace = (email: About | undefined) =>
  email !== undefined && email.folderType !== 'TRASH' && email.folderType !== 'SPAM';

const isActive: [string, Check] = [
  'the mailbox is disconnected',
  (send, { store }) => store.mailboxIsActive(send.workspaceId, send),
];

const hasItsEmail: [string, Check] = [
  'the email was thrown away, or is spam',
  async (_send, _deps, about) => isInPlace((await about()).source),
];

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
    hasItsEmail,
  ],
  reply: [
    ['whoever prepared it did not come to its end', async ({ draftId }) => draftId !== null],
    isActive,
    [
      'the subscription has ended',
      ({ workspaceId }, { replies, clock }) => replies.planAllows(workspaceId, clock.now()),
    ],
    ['the rule is off or gone', (send, { replies }) => replies.ruleReplies(send.workspaceId, send)],
    ['the draft is in the trash', async (_send, _deps, about) => isInPlace((await about()).draft)],
    hasItsEmail,
    // Nobody has changed it, or sent it, in another client meanwhile.
    [
      'somebody works on the draft',
      async (_send, _deps, about) => (await about()).draft?.scheduledStatus !== 'canceled',
    ],
    [
      'somebody has answered',
      async (send, { replies }, about) => {
        const { source } = await about();
        return !source || !(await replies.isAnswered(send.workspaceId, send, source));
      },
    ],
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
  let asked: Promise<EmailsOf> | undefined;
  const about = () => (asked ??= deps.store.emailsOf(send.workspaceId, send));
  for (const [objection, isSo] of CHECKS[send.kind]) if (!(await isSo(send, deps, about))) return objection;
  return null;
}
