import { afterAll, describe, expect, it } from '@jest/globals';
import { memoryBus } from '@postroom/events/memory-bus';
import { systemClock } from '@postroom/runtime/clock';
import { silentLog } from '@postroom/runtime/log';
import { busContract } from './bus-contract.ts';

const message = (id: string, key = 'mailbox') => ({
  id,
  key,
  type: 'email.received',
  occurredAt: new Date(1_790_000_000_000),
  value: Buffer.from(id),
});

describe('the in-process bus', () => {
  const bus = memoryBus({ clock: systemClock, log: silentLog });
  afterAll(() => bus.close());
  busContract(() => bus);
});

describe('the in-process bus with injected faults', () => {
  it('loses nothing that was acknowledged, repeats some, and does so again with the same seed', async () => {
    const play = async (seed: number) => {
      const faults = { seed, drop: 0.3, repeat: 0.2, delay: { share: 0.2, maxMs: 3 } };
      const bus = memoryBus({ clock: systemClock, log: silentLog, faults });
      const handled: string[] = [];
      await bus.subscribe({ group: 'g', topic: 'email.received', onMessage: async ({ id }) => void handled.push(id) });
      for (let at = 0; at < 50; at += 1) {
        const again = async (): Promise<void> => bus.publish('email.received', [message(`${at}`)]).catch(again);
        await again();
      }
      await bus.idle();
      await bus.close();
      return handled;
    };
    const first = await play(7);
    expect(new Set(first).size).toBe(50);
    expect(first.length).toBeGreaterThan(50);
    expect(await play(7)).toEqual(first);
    expect(await play(8)).not.toEqual(first);
  });
});
