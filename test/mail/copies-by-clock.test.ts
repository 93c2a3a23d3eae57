import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type MailboxWorld, openMailboxWorld } from './mailbox-world.ts';

let world: MailboxWorld;

beforeAll(async () => {
  world = await openMailboxWorld();
});
afterAll(() => world.close());

it('an email keeps its star where its copy was stored by a process whose clock is behind', async () => {
  const mailbox = await world.mailbox();
  const [stored] = await mailbox.arrive({ uid: 1 });
  const emailId = stored?.emailId ?? '';
  await world.collections.emails.updateOne({ _id: emailId }, { receivedAt: new Date(Date.now() + 60_000) });
  await mailbox.arrive({ folder: 'archive', uid: 7 });
  await mailbox.update(emailId, { isStarred: true });
  await mailbox.gone('inbox', 1);
  await mailbox.finishPasses(3);
  const moved = { _id: emailId, isStarred: true, folderId: 'archive', providerChanges: { isStarred: { to: true } } };
  expect(await mailbox.emails()).toMatchObject([moved]);
});

it('one of two messages that came together keeps the star of the other, which is gone', async () => {
  const mailbox = await world.mailbox();
  const [stored] = await mailbox.arriveTogether([{ uid: 1 }, { folder: 'archive', uid: 7 }]);
  const emailId = stored?.emailId ?? '';
  await mailbox.update(emailId, { isStarred: true });
  await mailbox.gone('inbox', 1);
  await mailbox.finishPasses(3);
  const emails = await mailbox.emails();
  expect(emails).toMatchObject([{ _id: emailId, isStarred: true, folderId: 'archive' }]);
});
