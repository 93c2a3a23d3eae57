import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { RecordClassificationRequest } from '@postroom/proto/postroom/v1/mailbox_write';
import { manualClock } from '@postroom/runtime/clock';
import { silentLog } from '@postroom/runtime/log';
import { openChangeWorld, type ChangeWorld } from '../../../../test/support/change-world.ts';
import { createChangeHandlers } from '../changes/change-handlers.ts';
import { removedKey } from '../location/location.ts';
import { createRemoveAnnounced } from '../removals/announce-removal.ts';
import { createRemainsSweep } from './sweep-remains.ts';

const MINUTE_MS = 60_000;
const relay = { publishSoon: () => undefined };
let world: ChangeWorld;
beforeAll(async () => {
  world = await openChangeWorld();
});
afterAll(() => world.close());

/** An email that is removed while its verdicts are kept by a call that has read it before. */
async function removedWhileKept() {
  const { stores, context, collections } = world;
  const { call, mailboxId, emails } = await world.workspace();
  const { workspaceId } = call;
  const [emailId = '', stayingId = ''] = await emails(2);
  await collections.emails.updateOne({ _id: emailId }, { $set: { messageKey: removedKey(emailId) } });
  const { removals, removedEmails } = stores;
  const { keepVerdicts } = createChangeHandlers({ stores, context, relay });
  const keep = (id: string) => {
    const email = { mailboxId, senderAddress: 'ann@sender.example', subject: 'Prices', isAutomatic: false };
    return keepVerdicts(RecordClassificationRequest.create({ emailId: id, email, verdicts: [], reply: 'Hello' }), call);
  };
  await removals.removeParts(workspaceId, [emailId]);
  await Promise.all([keep(emailId), keep(stayingId)]);
  const leaving = await removals.leaving(workspaceId, [emailId]);
  const removeAnnounced = createRemoveAnnounced({ removedEmails, relay, context });
  await removeAnnounced(workspaceId, mailboxId, leaving, (some) => removals.removeEmails(workspaceId, some));
  return {
    emailId,
    stayingId,
    isKept: async (_id: string) => (await collections.classifications.exists({ _id })) !== null,
  };
}

it('verdicts that are kept while their email is removed are deleted two minutes later, and no others', async () => {
  const { emailId, stayingId, isKept } = await removedWhileKept();
  const clock = manualClock(world.context.clock.now());
  const sweep = createRemainsSweep({ ...world.stores, context: { clock, log: silentLog } });
  await sweep();
  expect(await isKept(emailId)).toBe(true);
  await clock.advance(2 * MINUTE_MS + 1_000);
  await sweep();
  expect([await isKept(emailId), await isKept(stayingId)]).toEqual([false, true]);
});

it('the first sweep of a process deletes what was left behind while none ran', async () => {
  const { emailId, stayingId, isKept } = await removedWhileKept();
  const clock = manualClock(world.context.clock.now());
  await clock.advance(5 * MINUTE_MS);
  await createRemainsSweep({ ...world.stores, context: { clock, log: silentLog } })();
  expect([await isKept(emailId), await isKept(stayingId)]).toEqual([false, true]);
});
