import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openMailboxWorld, type MailboxWorld } from './mailbox-world.ts';

let world: MailboxWorld;

beforeAll(async () => {
  world = await openMailboxWorld();
});
afterAll(() => world.close());

describe('a message that its provider keeps', () => {
  it('is stored once, however often it comes from the same place', async () => {
    const mailbox = await world.mailbox();
    const [first] = await mailbox.arrive({ uid: 1 });
    const [again] = await mailbox.arrive({ uid: 1 });
    expect([first?.outcome, again?.outcome]).toEqual(['stored', 'known']);
    expect(await mailbox.shown()).toEqual([
      { id: first?.emailId, folder: 'inbox', uid: 1, events: ['email.received'] },
    ]);
  });

  it('keeps its id, labels and events when another client moves it', async () => {
    const mailbox = await world.mailbox();
    const [first] = await mailbox.arrive({ uid: 1 });
    await mailbox.gone('inbox', 1);
    await mailbox.arrive({ folder: 'archive', uid: 7 });
    expect(await mailbox.shown()).toEqual([
      { id: first?.emailId, folder: 'archive', uid: 7, events: ['email.received', 'email.moved'] },
    ]);
  });

  it('keeps its id when it is seen in its new folder before it is missed in the old one', async () => {
    const mailbox = await world.mailbox();
    const [first] = await mailbox.arrive({ uid: 1 });
    await mailbox.arrive({ folder: 'archive', uid: 7 });
    await mailbox.gone('inbox', 1);
    await mailbox.finishPasses(3);
    expect(await mailbox.shown()).toEqual([
      { id: first?.emailId, folder: 'archive', uid: 7, events: ['email.received', 'email.moved'] },
    ]);
  });

  it('is another email where it was copied, which did not arrive again', async () => {
    const mailbox = await world.mailbox();
    const [first] = await mailbox.arrive({ folder: 'archive', uid: 1 });
    const [copy] = await mailbox.arrive({ folder: 'inbox', uid: 2 });
    await mailbox.finishPasses(3);
    expect(copy?.emailId).not.toBe(first?.emailId);
    expect(await mailbox.shown()).toEqual([
      { id: first?.emailId, folder: 'archive', uid: 1, events: ['email.created'] },
      { id: copy?.emailId, folder: 'inbox', uid: 2, events: ['email.created'] },
    ]);
  });

  it('is gone after it has turned up nowhere for two rounds', async () => {
    const mailbox = await world.mailbox();
    await mailbox.arrive({ uid: 1 });
    await mailbox.publish();
    await mailbox.gone('inbox', 1);
    await mailbox.finishPasses(1);
    expect(await mailbox.shown()).toHaveLength(1);
    await mailbox.finishPasses(1);
    expect(await mailbox.shown()).toEqual([]);
    expect(await mailbox.leftovers()).toEqual({ bodies: 0, threadLinks: 0 });
  });
});
