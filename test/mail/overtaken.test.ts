import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createMailStore } from '../../services/classifier/src/mail-store.ts';
import { type MailboxWorld, openMailboxWorld } from './mailbox-world.ts';

let world: MailboxWorld;
beforeAll(async () => {
  world = await openMailboxWorld();
});
afterAll(() => world.close());

it('what came before in a conversation and waits is found in the order in which it came, also of one moment', async () => {
  const { mailbox, arriveTogether, arrive } = await world.mailbox();
  const { workspaceId, _id: mailboxId } = mailbox;
  const mails = Array.from({ length: 20 }, (_, n) => ({ uid: n + 1, messageId: `<${n}@sender.example>` }));
  const earlier = (await arriveTogether(mails)).map(({ emailId }) => emailId ?? '');
  const [last] = await arrive({ uid: 99, messageId: '<last@sender.example>' });
  const emailId = last?.emailId ?? '';
  const { emails } = world.collections;
  const oneMoment = { threadId: 'thr_1', awaitsClassificationSince: new Date(Date.now() - 60_000) };
  await emails.updateMany({ mailboxId }, { $set: { threadId: 'thr_1' } });
  await emails.updateMany({ _id: { $in: earlier } }, { $set: oneMoment });
  await emails.updateOne({ _id: earlier[3] }, { $unset: { awaitsClassificationSince: '' } });

  const before = (since: number) => {
    const which = { mailboxId, threadId: 'thr_1', emailId };
    return createMailStore(world.collections).waitingBefore(workspaceId, which, new Date(since));
  };
  expect(await before(0)).toEqual(earlier.toSpliced(3, 1));
  expect(await before(Date.now() - 30_000)).toEqual([]);
});
