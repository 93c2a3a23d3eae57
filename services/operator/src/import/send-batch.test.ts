import { describe, expect, it } from '@jest/globals';
import { ApiError } from '@postroom/errors/api-error';
import { IncomingMessage } from '@postroom/proto/postroom/v1/mailbox_write';
import { manualClock } from '@postroom/runtime/clock';
import type { CommandDeps } from '../command/command-deps.ts';
import { createSendBatch } from './send-batch.ts';

const messages = ['a', 'poison', 'b'].map((sourceKey) => IncomingMessage.create({ sourceKey }));

/** Sends to a service with the given behaviour, on a clock that moves by itself. */
async function sendBatch(conduct: { fails(sourceKeys: string[], call: number): boolean; isUp(call: number): boolean }) {
  const clock = manualClock();
  let calls = 0;
  const service = {
    ingest: async ({ messages: given }: { messages: IncomingMessage[] }) => {
      calls += 1;
      const keys = given.map(({ sourceKey }) => sourceKey);
      if (conduct.fails(keys, calls)) throw new ApiError('INTERNAL_ERROR');
      return { outcomes: keys.map((sourceKey) => ({ sourceKey, outcome: 'stored' })) };
    },
    listQuarantinedMessages: async () => {
      if (!conduct.isUp(calls)) throw new ApiError('INTERNAL_ERROR');
      return { items: [] };
    },
  };
  const deps = {
    mailboxWrite: () => service as unknown as ReturnType<CommandDeps['mailboxWrite']>,
    mailboxWriteOperators: () => service as unknown as ReturnType<CommandDeps['mailboxWriteOperators']>,
    signal: new AbortController().signal,
    context: { clock: { ...clock, sleep: () => Promise.resolve() } },
  };
  const outcomes = await createSendBatch(deps, { workspaceId: 'wsp', mailboxId: 'mbx' })(messages);
  return outcomes.map(({ outcome }) => outcome);
}

describe('sending a batch of mail to ingest', () => {
  it('a message that the service fails over is found and told, and the others go in', async () => {
    const outcomes = await sendBatch({ fails: (keys) => keys.includes('poison'), isUp: () => true });
    expect(outcomes).toEqual(['stored', 'failed', 'stored']);
  });

  it('a service that is unavailable for a while takes all of them in the end', async () => {
    const outcomes = await sendBatch({ fails: (_, call) => call < 5, isUp: (call) => call >= 5 });
    expect(outcomes).toEqual(['stored', 'stored', 'stored']);
  });

  it('a service that stays unavailable is what is blamed', async () => {
    await expect(sendBatch({ fails: () => true, isUp: () => false })).rejects.toThrow('does not take the mail in');
  });
});
