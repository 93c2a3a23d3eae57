import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type AtCall, dying, ordersOfTwo, interleave } from '../support/interleavings.ts';
import { type FolderName, type MailboxAtProvider, type MailboxWorld, openMailboxWorld } from './mailbox-world.ts';
import { type Ending, own, type Scene, scenes, type Truth } from './location-scenes.ts';

let world: MailboxWorld;

beforeAll(async () => {
  world = await openMailboxWorld();
});
afterAll(() => world.close());

/** So many orders of each scene, chosen evenly from all of them. */
const MOST_ORDERS = process.env['POSTROOM_FULL'] ? 100 : 4;
/** A death before a call and one after the call before it leave the same behind, unless two calls are under way at once. */
const MOMENTS = process.env['POSTROOM_FULL'] ? (['before', 'after'] as const) : (['after'] as const);
const LATE = new Set(['it turns up when it is about to be removed']);

/** Does the work of mailbox-sync afterwards, until nothing is left to do. */
async function keepInStep(mailbox: MailboxAtProvider, truth: Truth): Promise<void> {
  for (let time = 0; time < 3; time += 1) {
    for (const folder of new Set(['inbox', ...Object.keys(truth)] as FolderName[])) {
      const uids = truth[folder] ?? [];
      const { unknownUids } = await mailbox.listed(folder, uids);
      const unknown = uids.filter((uid) => unknownUids.some(({ first, last }) => first <= uid && uid <= last));
      const ours = folder === 'sent' || folder === 'drafts';
      for (const uid of unknown)
        await mailbox.arrive({ folder, uid, isHistory: true, ...(ours && { ...own, isRead: true }) });
    }
    await mailbox.finishPasses(1);
  }
}

async function endOf(mailbox: MailboxAtProvider, emailId: string, mayBePending?: string) {
  const emails = await mailbox.emails();
  const endings = emails.map(({ _id, folderId, place: location, isRead, providerChanges }): Ending => ({
    isIt: _id === emailId,
    folder: folderId,
    uid: location?.uid,
    isRead,
    pending: Object.entries(providerChanges)
      .map(([name, { to }]) => `${name}:${String(to.folderId ?? to)}`)
      .filter((pending) => pending !== mayBePending)
      .sort(),
  }));
  const { bodies } = await mailbox.leftovers();
  return { endings, bodies, unfinished: emails.filter(({ isUnsettled }) => isUnsettled).length };
}

async function check(mailbox: MailboxAtProvider, scene: Scene, emailId: string, order: unknown) {
  if (scene.told) expect([order, await mailbox.told()]).toEqual([order, expect.arrayContaining(scene.told)]);
  await mailbox.publish();
  // The truth already contains the provider changes that were applied. For others, the provider repeats its own state.
  await keepInStep(mailbox, scene.truth);
  const { endings, ...others } = await endOf(mailbox, emailId, scene.mayBePending);
  const wanted = LATE.has(scene.name) ? endings.map((one) => ({ ...one, isIt: true })) : endings;
  expect([order, wanted, others]).toEqual([order, scene.end, { bodies: scene.end.length, unfinished: 0 }]);
}

async function play(scene: Scene, schedule: (call: number) => number) {
  const mailbox = await world.mailbox();
  const emailId = await scene.before(mailbox);
  const calls = await interleave(
    scene.acts.map((act) => (at: AtCall) => act(mailbox, emailId, mailbox.process(at))),
    schedule,
  );
  return { mailbox, emailId, calls };
}

describe('two that happen at once end the same in every order of their store calls', () => {
  it.each(scenes)('$name', async (scene) => {
    const { calls } = await play(scene, (call) => call % 2);
    const orders = [...ordersOfTwo(calls)];
    const step = Math.max(1, Math.floor(orders.length / MOST_ORDERS));
    for (const [n, schedule] of orders.entries()) {
      if (n % step !== 0) continue;
      const { mailbox, emailId } = await play(scene, schedule);
      await check(mailbox, scene, emailId, n);
    }
  });
});

describe('a process that dies in the middle leaves nothing that a repeat does not finish', () => {
  it.each(scenes.flatMap((scene) => scene.acts.map((_, act) => ({ scene, act, name: `${scene.name}: ${act + 1}` }))))(
    '$name',
    async ({ scene, act }) => {
      for (const when of MOMENTS) {
        for (let deadly = 1; ; deadly += 1) {
          const mailbox = await world.mailbox();
          const emailId = await scene.before(mailbox);
          const { at, isDead } = dying(deadly, when);
          await scene.acts[act]?.(mailbox, emailId, mailbox.process(at)).catch(() => undefined);
          if (!isDead()) break;
          for (const again of [...scene.acts.slice(act), ...scene.acts.slice(0, act)])
            await again(mailbox, emailId, mailbox.calm);
          await mailbox.calm.sweep();
          await check(mailbox, scene, emailId, [when, deadly]);
        }
      }
    },
  );
});
