import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { isBodyOf } from '@postroom/mail-store/body-version';
import { manualClock } from '@postroom/runtime/clock';
import { silentLog } from '@postroom/runtime/log';
import { createBodyStore } from '../../services/mailbox-write/src/bodies/body-store.ts';
import { evictOlder } from '../../services/mailbox-write/src/bodies/evicting.ts';
import { callOf } from '../support/change-world.ts';
import { rawMessage } from '../support/message.ts';
import { type MailboxAtProvider, type MailboxWorld, openMailboxWorld, toMessage } from './mailbox-world.ts';

const DAY_MS = 86_400_000;
let world: MailboxWorld;

beforeAll(async () => {
  world = await openMailboxWorld();
});
afterAll(() => world.close());
// The sweep covers all workspaces, so bodies of other tests would be counted.
beforeEach(() => world.collections.bodies.deleteMany({}));

/** Runs the sweep as of so many days from now. Returns the number of evicted bodies. */
async function sweepIn(days: number): Promise<number> {
  let count = 0;
  await evictOlder({
    bodies: createBodyStore(world.collections),
    keptMs: 30 * DAY_MS,
    evicted: { add: (more: number) => void (count += more) } as never,
    context: { clock: manualClock(Date.now() + days * DAY_MS), log: silentLog },
  });
  return count;
}
const arrived = async (mailbox: MailboxAtProvider, ...parts: Parameters<MailboxAtProvider['arrive']>) => {
  const [outcome] = await mailbox.arrive(...parts);
  return outcome?.emailId ?? '';
};

describe('bodies of mail that its provider keeps', () => {
  it('go once they are old, and the email, its list item and its preview stay', async () => {
    const mailbox = await world.mailbox();
    const emailId = await arrived(mailbox, { uid: 1, text: 'the whole story' });
    const [before] = await mailbox.emails();
    expect(await sweepIn(29)).toBe(0);
    expect(await mailbox.bodyOf(emailId)).toContain('the whole story');
    expect(await sweepIn(31)).toBe(1);
    expect(await mailbox.bodyOf(emailId)).toBeUndefined();
    expect(await mailbox.emails()).toEqual([before]);
    expect(before?.snippet).toBe('the whole story');
  });

  it('stay where nobody could give them again: without a provider, made here, a draft, gone from their place', async () => {
    const there = await world.mailbox();
    const ids = [
      await arrived(there, { uid: 1, messageId: '<gone@x.example>' }),
      await arrived(there, { folder: 'drafts', uid: 2, messageId: '<draft@x.example>' }),
      (await there.make({ folderType: 'SENT', messageId: '<made@x.example>' })).id,
    ];
    await there.gone('inbox', 1);
    const without = await world.mailbox({ provider: 'development' });
    const { location: _, ...message } = toMessage({ uid: 3 });
    await without.calm.ingest(without.mailbox, [{ ...message, folderType: 'INBOX' }]);
    const cut = await world.mailbox({ status: 'disconnected' });
    ids.push(await arrived(cut, { uid: 4, messageId: '<cut@x.example>' }));
    expect(await sweepIn(31)).toBe(0);
    expect(await world.collections.bodies.countDocuments({})).toBe(ids.length + 1);
    // A spared body is examined again after 30 days. The email has a location again by then.
    await there.arrive({ folder: 'archive', uid: 9, messageId: '<gone@x.example>' });
    expect(await sweepIn(62)).toBe(1);
    expect(await there.bodyOf(ids[0] ?? '')).toBeUndefined();
  });

  it('come back out of the same message as they were, and are kept anew from then on', async () => {
    const mailbox = await world.mailbox();
    const message = { uid: 1, text: 'the whole story' };
    const emailId = await arrived(mailbox, message);
    const raw = toMessage(message).raw ?? Buffer.alloc(0);
    const before = await world.collections.bodies.findOne({ _id: emailId }).lean();
    await sweepIn(31);
    const call = callOf(mailbox.mailbox.workspaceId);
    const restored = await mailbox.calm.handlers.restoreBody({ emailId, raw }, call);
    expect(restored.text).toBe(before?.text);
    const after = await world.collections.bodies.findOne({ _id: emailId }).lean();
    expect(after).toEqual({ ...before, createdAt: after?.createdAt, evictableSince: after?.createdAt });
    expect(await sweepIn(29)).toBe(0);
  });

  it('404 NOT_FOUND for another message in that place, and for an email that is not there', async () => {
    const mailbox = await world.mailbox();
    const emailId = await arrived(mailbox, { uid: 1 });
    await sweepIn(31);
    const { raw } = rawMessage({ messageId: '<another@sender.example>', text: 'not for you' });
    const [own, foreign] = [callOf(mailbox.mailbox.workspaceId), callOf('wsp_other')];
    const { restoreBody } = mailbox.calm.handlers;
    await expect(restoreBody({ emailId, raw }, own)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const same = toMessage({ uid: 1 }).raw ?? Buffer.alloc(0);
    await expect(restoreBody({ emailId, raw: same }, foreign)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await mailbox.bodyOf(emailId)).toBeUndefined();
  });

  it('404 NOT_FOUND for the earlier version of a draft; the present one is restored as such', async () => {
    const mailbox = await world.mailbox();
    const draft = { folder: 'drafts', messageId: '<draft@x.example>' } as const;
    const version = (uid: number) => ({ ...draft, uid, text: `version ${uid}` });
    const emailId = await arrived(mailbox, version(1));
    await mailbox.arrive(version(2));
    await world.collections.bodies.deleteMany({ _id: emailId });
    const restore = (uid: number) => {
      const { raw = Buffer.alloc(0), location } = toMessage(version(uid));
      return mailbox.calm.handlers.restoreBody({ emailId, raw, location }, callOf(mailbox.mailbox.workspaceId));
    };
    await expect(restore(1)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await restore(2);
    const [body, email] = await Promise.all([
      world.collections.bodies.findOne({ _id: emailId }).lean(),
      world.collections.emails.findOne({ _id: emailId }).lean(),
    ]);
    expect(body?.text?.trim()).toBe('version 2');
    expect(body && email && isBodyOf(body, email)).toBe(true);
  });
});
