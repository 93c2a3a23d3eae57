import { expect, it } from '@jest/globals';
import { memoryDeadLetters } from '@postroom/events/memory-dead-letters.test-support';
import { type GivenBus, newRun, quick, topic } from './bus-run.ts';
import { eventually } from './eventually.ts';

/** Tests of dead letters that every bus must pass, because operators rely on them. */
export function resolvesDeadLetters(bus: GivenBus): void {
  it('five failed attempts make a dead letter of a message, with its cause; a replay brings it to that group alone', async () => {
    const run = newRun();
    const deadLetters = memoryDeadLetters();
    const bystander: string[] = [];
    let sound = false;
    const onMessage = run.only(async ({ id }) => {
      if (id.endsWith('-1') && !sound) throw new Error(`poison ${id}`);
    });
    const watch = run.only(async (message) => void bystander.push(message.id));
    const failing = await bus().subscribe({ group: run.group(), topic, retry: quick, deadLetters, onMessage });
    const other = await bus().subscribe({ group: run.group('other'), topic, onMessage: watch });
    const sent = run.make(3);
    await bus().publish(topic, sent);
    await eventually(async () => expect(await failing.lag()).toBe(0));
    await eventually(() => expect(bystander).toHaveLength(3));
    const { headers: _headers, type: _type, ...poison } = sent[1]!;
    expect(deadLetters.letters).toMatchObject([
      {
        ...poison,
        value: expect.anything(),
        group: run.group(),
        cause: `Error: poison ${poison.id}`,
        attempts: 5,
        replays: 0,
      },
    ]);
    run.seen.length = 0;
    sound = true;
    await deadLetters.replay({
      // A test tells its messages by their mark.
      publish: (of, messages) =>
        bus().publish(
          of,
          messages.map((one) => ({ ...one, headers: { ...one.headers, mark: run.mark } })),
        ),
    });
    await eventually(() => expect(run.numbers()).toEqual([1]));
    expect([bystander.length, deadLetters.ids()]).toEqual([3, []]);
    await Promise.all([failing.close(), other.close()]);
  });

  it('a message whose dead letter cannot be stored is tried again, and is not handled until it is stored', async () => {
    const run = newRun();
    const deadLetters = memoryDeadLetters();
    let refusals = 0;
    const add: typeof deadLetters.add = async (message) => {
      if ((refusals += 1) === 1) throw new Error('no database');
      await deadLetters.add(message);
    };
    const retry = { ...quick, attempts: 1 };
    const onMessage = run.only(() => Promise.reject(new Error('poison')));
    const consumer = await bus().subscribe({ group: run.group(), topic, retry, deadLetters: { add }, onMessage });
    await bus().publish(topic, run.make(1));
    await eventually(() => expect(deadLetters.ids()).toEqual([`${run.mark}-0`]));
    await eventually(async () => expect(await consumer.lag()).toBe(0));
    await consumer.close();
  });
}
