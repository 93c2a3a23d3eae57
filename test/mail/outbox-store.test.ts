import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { encodeEvent } from '@postroom/events/event';
import type { OutboxStore } from '@postroom/events/outbox/outbox-store';
import { firstOutbox, outboxUpdate } from '@postroom/mail-store/outbox';
import { createOutboxStore } from '@postroom/mail-store/outbox-store';
import { randomIds } from '@postroom/runtime/ids';
import { openTestDatabase } from '../support/mail-database.ts';

let database: Awaited<ReturnType<typeof openTestDatabase>>;
let store: OutboxStore;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

/** Documents that are no emails: the outbox of every collection is the same. */
const jobs = () => database.connection.collection<{ _id: string; outbox: object; owedSince?: Date }>('jobs');
beforeEach(async () => {
  await jobs().deleteMany({});
  store = createOutboxStore({ collection: jobs() as never }, { ids: randomIds });
});

const requested = (id: string) =>
  encodeEvent({
    id,
    type: 'backfill.requested',
    workspaceId: 'wsp_1',
    occurredAt: new Date(0),
    data: { jobId: id, mailboxId: 'mbx_1', limit: 10 },
  });
const old = new Date('2026-01-01T00:00:00Z');
const now = new Date('2026-01-01T01:00:00Z');
const insert = (count: number) =>
  jobs().insertMany(
    Array.from({ length: count }, (_, n) => ({
      _id: `job${n}`,
      ...firstOutbox({ requested: requested(`e${n}`) }, old),
    })),
  );
const published = (ownerId: string, id: string) => ({ ownerId, name: 'requested', event: requested(id), order: 0 });

describe('documents with unpublished events', () => {
  it('are claimed by one of several that come at once, each of them, and by nobody again before long', async () => {
    await insert(300);
    const claims = await Promise.all(Array.from({ length: 4 }, () => store.claim(old, now, 200)));
    const ids = claims.flat().map(({ ownerId }) => ownerId);
    expect(new Set(ids).size).toBe(ids.length);
    const rest = await store.claim(old, now, 500);
    expect(ids.length + rest.length).toBe(300);
    expect(await store.claim(old, now, 500)).toEqual([]);
    expect(rest.concat(...claims)[0]?.events['requested']).toMatchObject({ type: 'backfill.requested', key: 'mbx_1' });
  });

  it('that failed go behind those that nobody has tried', async () => {
    await insert(4);
    await store.claim(old, now, 2);
    const later = new Date(now.getTime() + 60_000);
    expect((await store.claim(later, later, 3)).map(({ ownerId }) => ownerId).toSorted()).toEqual([
      'job0',
      'job2',
      'job3',
    ]);
  });

  it('since one moment are claimed in their order, which trying them in vain does not change', async () => {
    const ids = ['job3', 'job1', 'job2', 'job0'];
    const pending = ids.map((_id, position) => ({ _id, ...firstOutbox({ requested: requested(_id) }, old, position) }));
    await jobs().insertMany(pending.toReversed());
    await store.claim(old, now, 4);
    const later = new Date(now.getTime() + 60_000);
    const first = await store.claim(now, later, 2);
    expect(first.map(({ ownerId }) => ownerId).toSorted()).toEqual(['job1', 'job3']);
    const second = await store.claim(now, later, 2);
    const byOrder = [...first, ...second].toSorted((one, other) => (one.order ?? 0) - (other.order ?? 0));
    expect(byOrder.map(({ ownerId }) => ownerId)).toEqual(ids);
  });

  it('lose what was published, and keep what has taken its place since', async () => {
    await insert(2);
    await jobs().updateOne({ _id: 'job1' }, outboxUpdate({ requested: requested('newer') }, now) as never);
    await store.markPublished([published('job0', 'e0'), published('job1', 'e1')]);
    expect(await jobs().findOne({ _id: 'job0' })).toEqual({ _id: 'job0', outbox: {} });
    const [left, ...others] = await store.claim(now, now, 10);
    expect([left?.ownerId, left?.events['requested']?.id, others]).toEqual(['job1', 'newer', []]);
  });

  it('have none left when the process died between the steps of a publication', async () => {
    await insert(3);
    // The first step, as a database that goes away in the middle leaves it.
    await jobs().updateMany({ _id: { $in: ['job0', 'job1'] } }, { $unset: { 'outbox.requested': '' } });
    expect((await store.claim(old, now, 10)).map(({ ownerId }) => ownerId)).toEqual(['job2']);
    expect(await store.count(10)).toBe(1);
    expect(await jobs().findOne({ _id: 'job0' })).toEqual({ _id: 'job0', outbox: {} });
  });

  it('keep an event that comes while what a crash left of them is removed', async () => {
    await insert(1);
    await jobs().updateOne({ _id: 'job0' }, { $unset: { 'outbox.requested': '' } });
    const [found, claimed] = [jobs(), { updates: 0 }];
    const updateMany = async (...given: Parameters<typeof found.updateMany>) => {
      claimed.updates += 1;
      const change = outboxUpdate({ again: requested('more') }, old) as never;
      if (claimed.updates === 2) await jobs().updateOne({ _id: 'job0' }, change);
      return jobs().updateMany(...given);
    };
    const collection = { collectionName: 'jobs', find: found.find.bind(found), updateMany };
    await createOutboxStore({ collection: collection as never }, { ids: randomIds }).claim(old, now, 10);
    expect((await store.claim(now, now, 10)).map(({ events }) => Object.keys(events))).toEqual([['again']]);
  });

  it('keep their position in the queue when they get more events', async () => {
    await insert(1);
    await jobs().updateOne({ _id: 'job0' }, outboxUpdate({ again: requested('more') }, now) as never);
    expect((await jobs().findOne({ _id: 'job0' }))?.owedSince).toEqual(old);
    await store.markPublished([published('job0', 'e0')]);
    expect((await store.claim(now, now, 10)).map(({ events }) => Object.keys(events))).toEqual([['again']]);
  });

  it('that are held are not claimed before long, except where an event came since their claim', async () => {
    await insert(3);
    const claimed = await store.claim(old, old, 2);
    const change = outboxUpdate({ again: requested('more') }, now) as never;
    await jobs().updateOne({ _id: 'job1' }, change);
    await store.hold(claimed, new Date(now.getTime() + 60_000));
    expect((await store.claim(now, now, 10)).map(({ ownerId }) => ownerId).toSorted()).toEqual(['job1', 'job2']);
  });

  it('that are held are claimed at once where they are released, and not those that their writer put off', async () => {
    await insert(2);
    const later = new Date(now.getTime() + 60_000);
    await jobs().insertOne({ _id: 'later', ...firstOutbox({ requested: requested('e') }, later) } as never);
    await store.hold(await store.claim(old, old, 2), later);
    expect(await store.claim(now, now, 10)).toEqual([]);
    await store.release(now, old);
    expect((await store.claim(old, now, 10)).map(({ ownerId }) => ownerId).toSorted()).toEqual(['job0', 'job1']);
  });

  it('that are being published are touched, and handled ones stay handled', async () => {
    await insert(2);
    await store.markPublished([published('job0', 'e0')]);
    await store.touch(['job0', 'job1'], now);
    expect((await jobs().findOne({ _id: 'job0' }))?.owedSince).toBeUndefined();
    expect(await store.claim(old, now, 10)).toEqual([]);
  });
});
