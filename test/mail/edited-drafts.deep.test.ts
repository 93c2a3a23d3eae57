import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type AtCall, dying, ordersOfTwo, interleave } from '../support/interleavings.ts';
import { type MailboxAtProvider, type MailboxWorld, openMailboxWorld } from './mailbox-world.ts';
import { own } from './location-scenes.ts';

let world: MailboxWorld;
beforeAll(async () => {
  world = await openMailboxWorld();
});
afterAll(() => world.close());

const MOST_ORDERS = 16;
const SENT = { ...own, subject: 'As it leaves', text: 'as it leaves' };
const EDITED = { ...own, subject: 'As edited', text: 'as edited' };

type Process = MailboxAtProvider['calm'];
interface Leaving {
  mailbox: MailboxAtProvider;
  draftId: string;
  acts: ((process: Process) => Promise<unknown>)[];
}

/** A draft at its provider that is being sent, with two acts: the sent message is stored, and the draft is edited. */
async function leaving(): Promise<Leaving> {
  const mailbox = await world.mailbox();
  const { id: draftId } = await mailbox.make({ ...SENT, folderType: 'DRAFTS' });
  await mailbox.arrive({ folder: 'drafts', uid: 2, isRead: true, ...SENT });
  await world.collections.emails.updateOne({ _id: draftId }, { $set: { scheduledStatus: 'sending' } });
  return {
    mailbox,
    draftId,
    acts: [
      (process) => mailbox.make({ ...SENT, folderType: 'SENT', draftId, operationId: 'opn_send' }, process),
      (process) => mailbox.arrive({ folder: 'drafts', uid: 3, isRead: true, ...EDITED }, process),
    ],
  };
}

/** The sent message is shown once and unchanged. The person's edit is either kept as the draft, or came too late. */
async function check({ mailbox, draftId }: Leaving, order: unknown): Promise<'edited' | 'too late'> {
  const emails = await mailbox.emails();
  const shown = await Promise.all(
    emails.map(async ({ _id, folderId, isDraft, subject, scheduledStatus, rendered: projection }) => ({
      isIt: _id === draftId,
      folder: folderId,
      isDraft,
      subject,
      isProjected: projection.includes(JSON.stringify(subject)),
      text: (await mailbox.bodyOf(_id))?.trim(),
      isCanceled: scheduledStatus === 'canceled',
    })),
  );
  const sent = { folder: 'sent', isDraft: false, subject: SENT.subject, isProjected: true, text: SENT.text };
  const edited = { folder: 'drafts', isDraft: true, subject: EDITED.subject, isProjected: true, text: EDITED.text };
  const isEdited = shown.length > 1;
  const ends = isEdited
    ? [
        { isIt: true, ...edited, isCanceled: true },
        { isIt: false, ...sent, isCanceled: false },
      ]
    : [{ isIt: true, ...sent, isCanceled: false }];
  expect([order, shown.toSorted((one, other) => Number(other.isIt) - Number(one.isIt))]).toEqual([order, ends]);
  return isEdited ? 'edited' : 'too late';
}

describe('a draft that is edited at the moment in which it leaves', () => {
  it('is shown as it left, and as it was edited, in every order of their store calls', async () => {
    const play = async (schedule: (call: number) => number) => {
      const one = await leaving();
      const calls = await interleave(
        one.acts.map((act) => (at: AtCall) => act(one.mailbox.process(at))),
        schedule,
      );
      return { one, calls };
    };
    const { calls } = await play((call) => call % 2);
    const orders = [...ordersOfTwo(calls)];
    const step = Math.max(1, Math.floor(orders.length / MOST_ORDERS));
    const ends = new Set<string>();
    for (const [n, schedule] of orders.entries())
      if (n % step === 0) ends.add(await check((await play(schedule)).one, n));
    expect([...ends].toSorted()).toEqual(['edited', 'too late']);
  }, 300_000);

  it.each([0, 1])(
    'is so as well where the process of one of them dies: %s',
    async (mortal) => {
      for (const when of ['before', 'after'] as const) {
        for (let deadly = 1; ; deadly += 1) {
          const one = await leaving();
          const { at, isDead } = dying(deadly, when);
          await one.acts[mortal]?.(one.mailbox.process(at)).catch(() => undefined);
          if (!isDead()) break;
          await one.acts[1 - mortal]?.(one.mailbox.calm);
          await one.acts[mortal]?.(one.mailbox.calm);
          await one.mailbox.calm.sweep();
          await check(one, [when, deadly]);
        }
      }
    },
    300_000,
  );
});
