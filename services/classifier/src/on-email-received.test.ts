import { describe, expect, it } from '@jest/globals';
import { RetryLater } from '@postroom/events/bus';
import { inMemory } from './in-memory.test-support.ts';
import { createOnEmailReceived } from './on-email-received.ts';

const data = { emailId: 'eml_3', mailboxId: 'mbx_1', folderType: 'INBOX', threadId: 'thr_1' };
const event = { id: 'evt_1', type: 'email.received', workspaceId: 'wsp_1', occurredAt: new Date(0), data } as const;

function overtaking() {
  const world = inMemory();
  world.before = ['eml_1', 'eml_2'];
  const done = () => world.recorded.map(({ emailId }) => emailId);
  return { world, done, run: () => createOnEmailReceived(world.deps)(event, { signal: new AbortController().signal }) };
}

describe('an email whose event has overtaken those of its conversation', () => {
  it('is classified after them, in their order', async () => {
    const { run, done } = overtaking();
    await run();
    expect(done()).toEqual(['eml_1', 'eml_2', 'eml_3']);
  });

  it('waits with them where the model is away', async () => {
    const { world, run, done } = overtaking();
    world.onJudge = () => {
      throw new RetryLater(1_000);
    };
    await expect(run()).rejects.toBeInstanceOf(RetryLater);
    expect(done()).toEqual([]);
  });

  it('is not held up by one that cannot be classified', async () => {
    const { world, run, done } = overtaking();
    let asked = 0;
    world.onJudge = () => {
      if (++asked === 1) throw new Error('this email breaks it');
    };
    await run();
    expect(done()).toEqual(['eml_2', 'eml_3']);
  });
});
