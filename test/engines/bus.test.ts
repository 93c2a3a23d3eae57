import { afterAll, describe, expect, it } from '@jest/globals';
import { memoryBus } from '@postroom/events/memory-bus';
import { deadTopicOf } from '@postroom/events/topics';
import { systemClock } from '@postroom/runtime/clock';
import { silentLog } from '@postroom/runtime/log';
import { busContract } from './bus-contract.ts';
import { eventually } from './eventually.ts';

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

  it('a dead letter says which group, why and after how many attempts', async () => {
    const bus = memoryBus({ clock: systemClock, log: silentLog });
    const onMessage = async () => {
      throw new TypeError('no such rule');
    };
    await bus.subscribe({
      group: 'classifier',
      topic: 'email.received',
      retry: { attempts: 2, firstDelayMs: 1 },
      onMessage,
    });
    await bus.publish('email.received', [message('one')]);
    const dead = deadTopicOf('email.received');
    await eventually(() => expect(bus.messagesIn(dead)).toHaveLength(1));
    expect(bus.messagesIn(dead)[0]).toMatchObject({
      id: 'one',
      headers: {
        'postroom-dead-group': 'classifier',
        'postroom-dead-cause': 'TypeError: no such rule',
        'postroom-dead-attempts': '2',
      },
    });
    await bus.close();
  });
});
