import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createOutboxStore } from '@postroom/mail-store/outbox-store';
import { manualClock } from '@postroom/runtime/clock';
import { silentLog } from '@postroom/runtime/log';
import { eventually } from '../../../../test/engines/eventually.ts';
import { type ChangeWorld, openChangeWorld } from '../../../../test/support/change-world.ts';
import { createCompletedEmails, withCompleted } from './completed-emails.ts';

let world: ChangeWorld;
beforeAll(async () => {
  world = await openChangeWorld();
});
afterAll(() => world.close());

const marked = { isUnsettled: true, threadId: 'thr_1', threadKey: '<a@far.example>' };

async function setting() {
  const { call, emails } = await world.workspace();
  const clock = manualClock();
  const completed = createCompletedEmails(world.stores.unfinished, { clock, log: silentLog });
  const [first = '', second = ''] = await emails(2, marked);
  const { threadId, threadKey } = marked;
  const keys = new Map((await Promise.all([first, second].map(world.stored))).map((one) => [one._id, one.messageKey]));
  const complete = (_id: string, other = {}) => {
    const messageKey = keys.get(_id) ?? '';
    completed.add({ _id, workspaceId: call.workspaceId, threadId, threadKey, messageKey, ...other });
  };
  const isMarked = async () => {
    const stored = await Promise.all([first, second].map(world.stored));
    return stored.map(({ isUnsettled }) => isUnsettled);
  };
  return { clock, completed, complete, isMarked, first, second };
}

it('the write that removes published events removes the marks, too', async () => {
  const { completed, complete, isMarked, first, second } = await setting();
  complete(first);
  complete(second);
  await withCompleted(createOutboxStore(world.collections.emails, world.context), completed).markPublished([]);
  expect(await isMarked()).toEqual([false, false]);
  await completed.close();
});

it('marks that no other write has taken are removed after a second, and the last ones when the service closes', async () => {
  const { clock, completed, complete, isMarked, first, second } = await setting();
  complete(first);
  await eventually(async () => {
    await clock.advance(1_000);
    expect(await isMarked()).toEqual([false, true]);
  });
  complete(second);
  await completed.close();
  expect(await isMarked()).toEqual([false, false]);
});

it.each([
  ['is in another thread by now', { threadId: 'thr_2' }],
  ['has another name', { threadKey: 'spam:eml_2' }],
  ['is a draft that was saved anew', { messageKey: 'place:fld_drafts:1:2' }],
])('an email that %s keeps its mark', async (_which, other) => {
  const { completed, complete, isMarked, first, second } = await setting();
  complete(first, other);
  complete(second, other);
  await completed.close();
  expect(await isMarked()).toEqual([true, true]);
});
