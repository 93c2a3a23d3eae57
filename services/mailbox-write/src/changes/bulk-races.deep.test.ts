import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { systemClock } from '@postroom/runtime/clock';
import { openChangeWorld, type ChangeWorld } from '../../../../test/support/change-world.ts';
import { createStores } from '../stores.ts';
import { createChangeHandlers } from './change-handlers.ts';

let world: ChangeWorld;
let handlers: ReturnType<typeof createChangeHandlers>;

beforeAll(async () => {
  world = await openChangeWorld();
  handlers = createChangeHandlers({ ...world, relay: { publishSoon: () => undefined } });
});
afterAll(() => world.close());

describe('20 clients changing the same emails', () => {
  it('answers add up with the events when 20 clients mark the same emails read and unread, again and again', async () => {
    const { call, emails } = await world.workspace();
    const emailIds = await emails(20);
    const client = async (first: boolean) => {
      const answers = [];
      for (let attempt = 0, isRead = first; attempt < 6; attempt += 1, isRead = !isRead) {
        answers.push({ isRead, ...(await handlers.bulkMarkRead({ emailIds, isRead }, call)) });
      }
      return answers;
    };
    const answers = (await Promise.all(Array.from({ length: 20 }, (_, index) => client(index % 2 === 0)))).flat();

    for (const emailId of emailIds) {
      const { isRead } = await world.stored(emailId);
      const updates = (wanted: boolean) =>
        answers.filter((answer) => answer.isRead === wanted && answer.updatedIds.includes(emailId)).length;
      // Real changes alternate from unread on, and each belongs to one answer; the last one waits for the provider.
      expect(updates(true) - updates(false)).toBe(isRead ? 1 : 0);
      expect(await world.pendingEvents(emailId)).toEqual([
        { type: 'email.updated', data: { emailId, changes: { isRead } } },
      ]);
    }
    for (const { updatedIds, unchangedIds } of answers) expect(updatedIds.length + unchangedIds.length).toBe(20);
  });

  it('knows its own changes, also when others came before the write and undid it before it was looked at', async () => {
    const { call, emails } = await world.workspace();
    const emailIds = await emails(2);
    const [first = '', second = ''] = emailIds;
    const mark = (ids: string[], isRead: boolean) => handlers.bulkMarkRead({ emailIds: ids, isRead }, call);
    const slow = slowHandlers({
      beforeWrite: () => mark([first], true),
      afterWrite: async () => {
        for (let time = 0; time < 15; time += 1) await mark(emailIds, time % 2 === 1);
      },
    });

    const answer = await slow.bulkMarkRead({ emailIds, isRead: true }, call);
    expect(answer).toEqual({ updatedIds: [second], unchangedIds: [first], skippedIds: [] });
  });

  it('each email is deleted and labelled by exactly one of 20 clients', async () => {
    const { call, emails, label } = await world.workspace();
    const [emailIds, labelId] = [await emails(50), await label()];
    const clients = Array.from({ length: 20 });
    const deletions = await Promise.all(clients.map(() => handlers.bulkDelete({ emailIds }, call)));
    const deleted = deletions.flatMap(({ deletedIds }) => deletedIds);
    expect(deleted.toSorted()).toEqual(emailIds.toSorted());
    for (const { deletedIds, skippedIds } of deletions) expect(deletedIds.length + skippedIds.length).toBe(50);

    const applied = await Promise.all(clients.map(() => handlers.bulkApplyLabel({ emailIds, labelId }, call)));
    expect(applied.reduce((sum, { updatedCount }) => sum + updatedCount, 0)).toBe(50);
  });
});

/** Handlers whose bulk writes have something happen right before and right after them. */
function slowHandlers({
  beforeWrite,
  afterWrite,
}: {
  beforeWrite: () => Promise<unknown>;
  afterWrite: () => Promise<unknown>;
}) {
  const { emails } = world.collections;
  const replacing = <T extends object>(target: T, name: string, value: unknown): T =>
    new Proxy(target, { get: (whole, asked) => (asked === name ? value : Reflect.get(whole, asked)) });
  const bulkWrite = async (...args: Parameters<typeof emails.collection.bulkWrite>) => {
    await beforeWrite();
    const result = await emails.collection.bulkWrite(...args);
    await afterWrite();
    return result;
  };
  const slow = replacing(emails, 'collection', replacing(emails.collection, 'bulkWrite', bulkWrite));
  return createChangeHandlers({
    ...world,
    stores: createStores({ ...world.collections, emails: slow }, systemClock),
    relay: { publishSoon: () => undefined },
  });
}
