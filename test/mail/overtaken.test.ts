import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createUnclassifiedStore } from '../../services/classifier/src/pending/pending-store.ts';
import { type MailboxWorld, openMailboxWorld } from './mailbox-world.ts';

let world: MailboxWorld;
beforeAll(async () => {
  world = await openMailboxWorld();
});
afterAll(() => world.close());

it('emails of one thread that came in one moment keep their order until they are classified, also when their events are published', async () => {
  const { mailbox, arriveTogether, arrive } = await world.mailbox();
  const { workspaceId, _id: mailboxId } = mailbox;
  const mails = Array.from({ length: 20 }, (_, n) => ({ uid: n + 1, messageId: `<${n}@sender.example>` }));
  const together = (await arriveTogether(mails)).map(({ emailId }) => emailId ?? '');
  const [last] = await arrive({ uid: 99, messageId: '<last@sender.example>' });
  const { emails } = world.collections;
  const oneMoment = { threadId: 'thr_1', awaitsClassificationSince: new Date(Date.now() - 60_000) };
  await emails.updateMany({ mailboxId }, { $set: { threadId: 'thr_1' } });
  await emails.updateMany({ _id: { $in: together } }, { $set: oneMoment });
  // As the relay leaves them.
  await emails.updateMany({ mailboxId }, { $set: { outbox: {} }, $unset: { owedSince: '', owedOrder: '' } });
  await emails.updateOne({ _id: together[3] }, { $unset: { awaitsClassificationSince: '' } });

  const which = { workspaceId, mailboxId, threadId: 'thr_1', emailId: last?.emailId ?? '' };
  const found = await createUnclassifiedStore(world.collections).inThread(workspaceId, which);
  expect(found.map(({ _id }) => _id)).toEqual([...together.toSpliced(3, 1), last?.emailId]);
});
