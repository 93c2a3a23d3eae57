import type { SendDocument } from '@postroom/mail-store/documents/send';
import type { Clock } from '@postroom/runtime/clock';
import { once } from '@postroom/runtime/once';
import type { About, EmailsOf, PreconditionStore } from './precondition-store.ts';
import type { AnsweredEmails } from '../answered-emails/answered-emails.ts';
import type { ReplyingRule, ReplyStore } from '../replies/reply-store.ts';
import { wouldReplyTooOften } from '../replies/reply-rate-limit.ts';

interface Deps {
  store: PreconditionStore;
  replies: ReplyStore;
  clock: Clock;
  /** Whether the draft of an approved send still says what was approved. */
  draftIsUnchanged(send: SendDocument): Promise<boolean>;
  agentsAreStopped(workspaceId: string): Promise<boolean>;
  answered?: Pick<AnsweredEmails, 'read'>;
  /** Of one mailbox. */
  repliesPerHour: number;
}

/** A value that several checks need is read once, and only when the earlier checks have passed. */
interface Asked {
  emails(): Promise<EmailsOf>;
  rule(): Promise<ReplyingRule | null>;
}
type Check = (send: SendDocument, deps: Deps, asked: Asked) => Promise<boolean>;

const isStillThere = (email: About | undefined) =>
  email !== undefined && email.folderType !== 'TRASH' && email.folderType !== 'SPAM';

const isActive: [string, Check] = [
  'the mailbox is disconnected',
  (send, { store }) => store.mailboxIsActive(send.workspaceId, send),
];

const workspaceIsActive: [string, Check] = [
  'the workspace is suspended',
  ({ workspaceId }, { store }) => store.workspaceIsActive(workspaceId),
];

const agentsMaySend: [string, Check] = [
  'sending by agents is stopped',
  async ({ workspaceId }, deps) => !(await deps.agentsAreStopped(workspaceId)),
];

const hasItsEmail: [string, Check] = [
  'the email was thrown away, or is spam',
  async (_send, _deps, { emails }) => isStillThere((await emails()).source),
];

/** A reply that another condition or threshold allowed is for a person to send. Sends of an earlier version do not say. */
async function isOfItsRule({ ruleUpdatedAt }: SendDocument, _deps: Deps, { rule }: Asked): Promise<boolean> {
  return !ruleUpdatedAt || (await rule())?.updatedAt.getTime() === ruleUpdatedAt.getTime();
}

/** Labels are put on behind the reply: an email that is not done with has none yet. */
async function hasItsLabel(_send: SendDocument, _deps: Deps, { emails, rule }: Asked): Promise<boolean> {
  const { source } = await emails();
  return !source?.classifiedAt || source.labelIds.includes((await rule())?.labelId ?? '');
}

/** The call that scheduled it has counted it for its time, and those that came since have counted it, too. */
const isPostponed = ({ lastError }: SendDocument): boolean => lastError !== null;

/** The preconditions, each with the reason that is given when it fails. */
const PRECONDITIONS: Readonly<Record<SendDocument['kind'], readonly [string, Check][]>> = {
  // Asked for the sends of agents alone: they wait for a permit, and the switch may be used meanwhile.
  send: [agentsMaySend],
  remainder: [isActive],
  approved: [
    isActive,
    workspaceIsActive,
    agentsMaySend,
    ['the draft was changed or thrown away', (send, deps) => deps.draftIsUnchanged(send)],
  ],
  forward: [
    isActive,
    workspaceIsActive,
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
      async ({ workspaceId }, { replies, clock }) => (await replies.standing(workspaceId, clock.now())) === 'paid',
    ],
    ['the rule is off or gone', async (_send, _deps, { rule }) => (await rule()) !== null],
    ['the rule was changed since', isOfItsRule],
    ['the draft is in the trash', async (_send, _deps, { emails }) => isStillThere((await emails()).draft)],
    hasItsEmail,
    ['the label was taken off the email', hasItsLabel],
    // Nobody has changed it, or sent it, in another client meanwhile.
    [
      'somebody works on the draft',
      async (_send, _deps, { emails }) => (await emails()).draft?.scheduledStatus !== 'canceled',
    ],
    [
      'somebody has answered',
      async (send, { replies }, { emails }) => {
        const { source } = await emails();
        return !source || !(await replies.isAnswered(send.workspaceId, send, source));
      },
    ],
    [
      'the sender has been answered often enough',
      async (send, { replies }) => !isPostponed(send) || !(await wouldReplyTooOften(send, replies)),
    ],
    [
      'the mailbox has answered as many emails within an hour as it may',
      async (send, { store, repliesPerHour: most }) =>
        (await store.countBefore(send.workspaceId, send, { mailboxId: send.mailboxId }, most)) < most,
    ],
  ],
};

/** The reason why a waiting send must not leave any more; null when all preconditions hold. */
export async function unmetPrecondition(send: SendDocument, deps: Deps): Promise<string | null> {
  const { store, replies } = deps;
  const asked: Asked = {
    emails: once(async () => {
      const found = await store.emailsOf(send.workspaceId, send);
      if (found.source) deps.answered?.read(send._id, found.source);
      return found;
    }),
    rule: once(() => replies.replyingRule(send.workspaceId, send)),
  };
  for (const [reason, isMet] of PRECONDITIONS[send.kind]) if (!(await isMet(send, deps, asked))) return reason;
  return null;
}
