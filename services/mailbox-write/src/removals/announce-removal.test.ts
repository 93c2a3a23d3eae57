import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { OUTBOX_CLAIM_MS } from '@postroom/events/outbox/publish-pending';
import { firstOutbox } from '@postroom/mail-store/outbox';
import { createOutboxStore } from '@postroom/mail-store/outbox-store';
import { QUERY_BUDGET } from '@postroom/mail-store/time-limit';
import { openChangeWorld, type ChangeWorld } from '../../../../test/support/change-world.ts';
import { type AtCall, dying, interleave, watched } from '../../../../test/support/interleavings.ts';
import { createEmailChanges } from '../changes/email-change.ts';
import { removedKey } from '../location/location.ts';
import { createRemoveAnnounced } from './announce-removal.ts';

const HOME = { tellsProvider: false, trashFolderId: null };
const alive: AtCall = (_name, call) => call();
let world: ChangeWorld;
beforeAll(async () => {
  world = await openChangeWorld();
});
afterAll(() => world.close());

/** An email that leaves with a pending event, a process that removes it, and one that stars it. */
async function leavingEmail() {
  const { stores, collections, context } = world;
  const { call, mailboxId, emails } = await world.workspace();
  const [emailId = ''] = await emails(1);
  const { workspaceId } = call;
  const changes = createEmailChanges(context);
  const email = { _id: emailId, mailboxId };
  const marked = (from: { isStarred?: boolean; isRead?: boolean }, to: typeof from) =>
    changes.marked(workspaceId, email, from, to, HOME);
  const before = marked({ isRead: false }, { isRead: true });
  await stores.changes.change(workspaceId, before, QUERY_BUDGET);
  await collections.emails.updateOne({ _id: emailId }, { $set: { messageKey: removedKey(emailId) } });
  const made = Object.values(before.events).map(({ id }) => id);
  return {
    emailId,
    workspaceId,
    announce: async () => {
      const [leaving] = await stores.removals.leaving(workspaceId, [emailId]);
      const events = { ...leaving?.outbox, removed: { id: 'evt_1', value: Buffer.alloc(0) } as never };
      const about = { _id: emailId, workspaceId, mailboxId, expiresAt: context.clock.date() };
      await stores.removedEmails.announce(workspaceId, [{ ...about, ...firstOutbox(events, context.clock.date()) }]);
    },
    remove: async (at: AtCall) => {
      const removals = watched({ leaving: stores.removals.leaving, removeEmails: stores.removals.removeEmails }, at);
      const removedEmails = watched(stores.removedEmails, at);
      const removeAnnounced = createRemoveAnnounced({ removedEmails, relay: { publishSoon: () => 0 }, context });
      const leaving = await removals.leaving(workspaceId, [emailId]);
      return removeAnnounced(workspaceId, mailboxId, leaving, (some) => removals.removeEmails(workspaceId, some));
    },
    star: async (at: AtCall) => {
      const change = marked({ isStarred: false }, { isStarred: true });
      const store = watched({ change: stores.changes.change }, at);
      const changed = await store.change(workspaceId, change, QUERY_BUDGET);
      if (changed) made.push(...Object.values(change.events).map(({ id }) => id));
    },
    /** A sweep has claimed the events of an earlier removal, in which the email stayed. */
    beClaimed: async () => {
      const claimed = {
        ...firstOutbox({}, context.clock.date()),
        owedSince: context.clock.date(),
        outboxClaim: 'clm_1',
      };
      await collections.removedEmails.collection.insertOne({ _id: emailId, workspaceId, ...claimed } as never);
    },
    /** The first sweep of a process that starts: what it would publish, unless the email is gone by then. */
    sweep: async (at: AtCall) => {
      const outbox = watched(createOutboxStore(collections.removedEmails, context), at);
      const [now, untouchedSince] = [context.clock.date(), new Date(context.clock.now() - OUTBOX_CLAIM_MS)];
      await outbox.release(now, untouchedSince);
      const isThere = await collections.emails.exists({ _id: emailId });
      const claimed = await outbox.claim(untouchedSince, now, 100);
      if (isThere) expect(claimed.map(({ ownerId }) => ownerId)).not.toContain(emailId);
    },
    /** No event of a change that was made is missing behind the removal. */
    expectEvents: async () => {
      expect(await collections.emails.countDocuments({ _id: emailId })).toBe(0);
      const removed = await collections.removedEmails.findOne({ _id: emailId }).lean();
      const events = Object.values(removed?.outbox ?? {});
      expect(events.map(({ id }) => id)).toEqual(expect.arrayContaining(made));
      expect(events.map(({ type }) => type)).toContain('email.removed');
    },
  };
}

describe('the removal of an email publishes every event of the email', () => {
  it('where another change comes between any two of its calls', async () => {
    const play = async (schedule: (call: number) => number) => {
      const { remove, star, expectEvents } = await leavingEmail();
      const calls = await interleave([remove, star], schedule);
      await expectEvents();
      return calls;
    };
    const calls = await play(() => 0);
    for (let at = 0; at < calls; at += 1) await play((call) => (call === at ? 1 : 0));
  }, 60_000);

  it('not before it is gone, where another process starts between any two of its calls', async () => {
    const play = async (schedule: (call: number) => number) => {
      const { remove, sweep, expectEvents, beClaimed } = await leavingEmail();
      await beClaimed();
      const calls = await interleave([remove, sweep], schedule);
      await expectEvents();
      return calls;
    };
    const calls = await play(() => 0);
    for (let at = 0; at < calls; at += 1) await play((call) => (call === at || call === at + 1 ? 1 : 0));
  }, 60_000);

  it('where it is killed at any of its calls and begun again, and another change comes before that', async () => {
    for (const when of ['before', 'after'] as const) {
      for (let deadly = 1; deadly <= 6; deadly += 1) {
        const { remove, star, expectEvents } = await leavingEmail();
        await remove(dying(deadly, when).at).catch(() => 0);
        await star(alive);
        await remove(alive);
        await expectEvents();
      }
    }
  }, 60_000);

  it('soon where the email stays, also where a sweep claimed them before', async () => {
    const { stores, collections, context } = world;
    const { emailId, workspaceId, announce } = await leavingEmail();
    await announce();
    const outbox = createOutboxStore(collections.removedEmails, context);
    const [now, later] = [context.clock.date(), new Date(context.clock.now() + 600_000)];
    const claimed = await outbox.claim(later, now, 100);
    await stores.removedEmails.retract(workspaceId, [emailId], now);
    await outbox.hold(claimed, later);
    const due = (await outbox.claim(now, now, 100)).find(({ ownerId }) => ownerId === emailId);
    expect(Object.keys(due?.events ?? {})).toEqual(['isRead']);
  });
});
