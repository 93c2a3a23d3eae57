import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { randomIds } from '@postroom/runtime/ids';
import { dying } from '../support/interleavings.ts';
import { callOf } from '../support/change-world.ts';
import { type MailboxAtProvider, type MailboxWorld, openMailboxWorld } from './mailbox-world.ts';
import type { MailProcess } from './mail-process.ts';

let world: MailboxWorld;

beforeAll(async () => {
  world = await openMailboxWorld();
});
afterAll(() => world.close());

const MESSAGES = 12;
/** A process makes fewer store calls than this for one thing that a provider says. */
const MOST_CALLS = 30;

function randomOf(seed: number) {
  let state = seed * 2_654_435_761;
  return (below: number): number => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}

async function labelled(mailbox: MailboxAtProvider) {
  const { workspaceId, _id: mailboxId } = mailbox.mailbox;
  const label = { _id: randomIds('lbl'), workspaceId, name: mailboxId, nameKey: mailboxId, color: 'Red' };
  await world.collections.labels.create([{ ...label, createdAt: new Date(), isAiLabel: false, deletedAt: null }]);
  return label._id;
}

/** Says it until it is taken: a process that dies is followed by another. */
async function insist(mailbox: MailboxAtProvider, random: (below: number) => number, say: Saying): Promise<void> {
  for (let time = 0; time < 3; time += 1) {
    const { at } = dying(1 + random(MOST_CALLS), random(2) === 0 ? 'before' : 'after');
    const isDone = await say(mailbox.process(at)).then(
      () => true,
      () => false,
    );
    if (isDone) return;
  }
  await say(mailbox.calm);
}
type Saying = (process: MailProcess) => Promise<unknown>;

it.each([1, 2, 3, 4])(
  'messages moved by COPY and EXPUNGE keep id, labels, stars and read state while they are changed and processes die (seed %i)',
  async (seed) => {
    const random = randomOf(seed);
    const mailbox = await world.mailbox();
    const { handlers } = mailbox.calm;
    const call = callOf(mailbox.mailbox.workspaceId);
    const labelId = await labelled(mailbox);
    const uids = Array.from({ length: MESSAGES }, (_, n) => n + 1);
    const original = (uid: number) => ({ uid, messageId: `<${uid}@sender.example>`, isStarred: true });
    const stored = await mailbox.arriveTogether(uids.map(original));
    const emailIds = stored.map(({ emailId }) => emailId ?? '');
    await mailbox.publish();

    const another = async () => {
      for (const uid of uids) {
        const sayings: Saying[] = [
          (process) => mailbox.arrive({ ...original(uid), folder: 'archive', uid: 100 + uid }, process),
          (process) => mailbox.gone('inbox', uid, process),
        ];
        for (const saying of random(4) === 0 ? sayings.toReversed() : sayings) await insist(mailbox, random, saying);
      }
    };
    const api = async () => {
      for (const emailId of emailIds) {
        await mailbox.update(emailId, { isRead: true });
        await handlers.bulkApplyLabel({ emailIds, labelId }, call);
        await handlers.bulkMarkRead({ emailIds, isRead: true }, call);
      }
    };
    await Promise.all([another(), api()]);
    await mailbox.publish();
    await mailbox.finishPasses(3);

    const emails = (await mailbox.emails()).toSorted((one, other) => (one.place?.uid ?? 0) - (other.place?.uid ?? 0));
    const shown = emails.map((email) => [email._id, email.place?.uid, email.labelIds, email.isStarred, email.isRead]);
    expect(shown).toEqual(emailIds.map((emailId, n) => [emailId, 101 + n, [labelId], true, true]));
    expect(await mailbox.leftovers()).toMatchObject({ bodies: MESSAGES });
  },
);
