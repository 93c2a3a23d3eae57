import { expect, it } from '@jest/globals';
import { deathOf } from '@postroom/events/dead-letter';
import { deadTopicOf } from '@postroom/events/topics';
import { type GivenBus, newRun, quick, topic } from './bus-run.ts';
import { eventually } from './eventually.ts';

/** Tests of dead letters that every bus must pass, because operators rely on them. */
export function resolvesDeadLetters(bus: GivenBus): void {
  it('dead letters are shown with their cause and left there; those named alone are replayed or dropped', async () => {
    const run = newRun();
    let sound = false;
    const retry = { ...quick, attempts: 2 };
    const onMessage = run.only(async ({ id }) => {
      if (!sound) throw new Error(`poison ${id}`);
    });
    const consumer = await bus().subscribe({ group: run.group(), topic, retry, onMessage });
    const sent = run.make(4);
    await bus().publish(topic, sent);
    await eventually(async () => expect(await consumer.lag()).toBe(0));
    const mine = async () =>
      (await bus().deadLetters(deadTopicOf(topic), 1_000)).filter(({ headers }) => headers['mark'] === run.mark);
    const [one, two, three, four] = sent.map(({ id }) => id) as [string, string, string, string];
    const first = await mine();
    expect(first.map(({ id }) => id)).toEqual([one, two, three, four]);
    expect(deathOf(first[0]!)).toMatchObject({ group: run.group(), cause: `Error: poison ${one}`, attempts: 2 });
    sound = true;
    expect(await bus().drop(deadTopicOf(topic), [two, 'unknown'])).toBe(1);
    expect(await bus().replay(deadTopicOf(topic), [three])).toBe(1);
    await eventually(() => expect(run.numbers()).toEqual([2]));
    // It is as it was before it was given up.
    expect(Object.keys(run.seen[0]?.headers ?? {}).filter((name) => name.startsWith('postroom-dead-'))).toEqual([]);
    expect((await mine()).map(({ id }) => id)).toEqual([one, four]);
    expect(await bus().drop(deadTopicOf(topic))).toBeGreaterThanOrEqual(2);
    expect(await bus().deadLetters(deadTopicOf(topic), 10)).toEqual([]);
    await consumer.close();
    expect(run.numbers()).toEqual([2]);
  });
}
