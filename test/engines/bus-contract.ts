import { describe, expect, it } from '@jest/globals';
import { type BusMessage, RetryLater } from '@postroom/events/bus';
import { memoryDeadLetters } from '@postroom/events/memory-dead-letters.test-support';
import { type GivenBus, newRun, quick, topic, upTo } from './bus-run.ts';
import { resolvesDeadLetters } from './dead-letters-contract.ts';
import { eventually } from './eventually.ts';

/** Tests that every bus must pass, because the services rely on them. */
export function busContract(bus: GivenBus): void {
  describe('publish and subscribe', () => {
    delivery(bus);
  });
  describe('order', () => {
    order(bus);
    otherKeys(bus);
  });
  describe('failure', () => {
    deadLetters(bus);
    resolvesDeadLetters(bus);
    trying(bus);
  });
  describe('consumers', () => {
    consumers(bus);
  });
}

function delivery(bus: GivenBus): void {
  it('a message arrives with everything it was given, also when it was published before the group existed', async () => {
    const run = newRun();
    const [sent] = run.make(1);
    const headers = { ...sent!.headers, traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' };
    await bus().publish(topic, [{ ...sent!, value: Buffer.from([0, 255, 10]), headers }]);
    const consumer = await bus().subscribe({ group: run.group(), topic, onMessage: run.only() });
    await eventually(() => expect(run.seen).toHaveLength(1));
    await consumer.close();
    const { value, ...rest } = run.seen[0]!;
    const { value: _sent, ...expected } = { ...sent!, headers };
    expect(rest).toMatchObject(expected);
    expect([...value]).toEqual([0, 255, 10]);
  });

  it('an empty batch is published at once', async () => {
    await expect(bus().publish(topic, [])).resolves.toBeUndefined();
  });

  it('two groups each get all; two consumers of one group share without doubles', async () => {
    const run = newRun();
    const other: string[] = [];
    const others = run.only(async (message) => void other.push(message.id));
    const members = [
      await bus().subscribe({ group: run.group(), topic, onMessage: run.only() }),
      await bus().subscribe({ group: run.group('other'), topic, onMessage: others }),
    ];
    members.push(await bus().subscribe({ group: run.group(), topic, onMessage: run.only() }));
    await bus().publish(topic, run.make(60, 20));
    await eventually(() => expect(new Set(other).size).toBe(60));
    await eventually(() => expect(new Set(run.numbers()).size).toBe(60));
    await Promise.all(members.map((consumer) => consumer.close()));
  });

  it('one group reads several topics, each by a consumer of its own', async () => {
    const run = newRun();
    const read = { 'email.received': new Set<string>(), 'email.deleted': new Set<string>() };
    const members = [];
    for (const name of ['email.received', 'email.deleted'] as const) {
      const onMessage = run.only(async (message) => void read[name].add(message.id));
      members.push(await bus().subscribe({ group: run.group(), topic: name, onMessage }));
      await bus().publish(name, run.make(40, 20));
    }
    await eventually(() => expect([read['email.received'].size, read['email.deleted'].size]).toEqual([40, 40]));
    await Promise.all(members.map((consumer) => consumer.close()));
  });
}

function order(bus: GivenBus): void {
  it('is kept per key, attempts that fail included, while other keys go on', async () => {
    const run = newRun();
    const failed = new Set<string>();
    const atWork = new Set<string>();
    let most = 0;
    const flaky = run.only(async (message) => {
      expect(atWork.has(message.key)).toBe(false);
      atWork.add(message.key);
      most = Math.max(most, atWork.size);
      await new Promise((resolve) => setTimeout(resolve, 3));
      atWork.delete(message.key);
      if (Number(message.id.split('-').pop()) % 5 > 0 || failed.has(message.id)) return;
      failed.add(message.id);
      throw new Error('fails the first time');
    });
    await bus().publish(topic, run.make(80, 4));
    const consumer = await bus().subscribe({
      group: run.group(),
      topic,
      concurrency: 8,
      retry: quick,
      onMessage: flaky,
    });
    await eventually(() => expect(run.seen.length).toBeGreaterThanOrEqual(80));
    await consumer.close();
    for (const index of upTo(4)) {
      const firsts = [...new Set(run.numbers().filter((number) => number % 4 === index))];
      expect(firsts).toEqual(upTo(80).filter((number) => number % 4 === index));
    }
    expect(most).toBeGreaterThan(1);
  });

  it('can be finer than the key', async () => {
    const run = newRun();
    let open: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => (open = resolve));
    const waits = run.only((message) => (message.id.endsWith('-0') ? gate : Promise.resolve()));
    const orderBy = (message: BusMessage) => message.id;
    await bus().publish(topic, run.make(4));
    const consumer = await bus().subscribe({ group: run.group(), topic, concurrency: 4, orderBy, onMessage: waits });
    await eventually(() => expect(run.numbers()).toEqual([1, 2, 3]));
    open();
    await eventually(() => expect(run.numbers()).toEqual([1, 2, 3, 0]));
    await consumer.close();
  });
}

function otherKeys(bus: GivenBus): void {
  it('is no reason to hold up another key: one slow message holds up its own alone, of what comes later too', async () => {
    const run = newRun();
    let open: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => (open = resolve));
    const begun = new Set<string>();
    const waits = run.only((message) => {
      begun.add(message.id);
      return message.id === `${run.mark}-0` ? gate : Promise.resolve();
    });
    const consumer = await bus().subscribe({ group: run.group(), topic, concurrency: 4, onMessage: waits });
    const all = run.make(90, 30);
    const others = (before: number) => upTo(before).filter((at) => at % 30 > 0);
    for (const end of [30, 60, 90]) {
      await bus().publish(topic, all.slice(end - 30, end));
      await eventually(() => expect(run.numbers().sort((a, b) => a - b)).toEqual(others(end)));
    }
    expect(begun.has(`${run.mark}-30`)).toBe(false);
    open();
    await eventually(() => expect(run.numbers().slice(-3)).toEqual([0, 30, 60]));
    await eventually(async () => expect(await consumer.lag()).toBe(0));
    await consumer.close();
  });
}

function deadLetters(bus: GivenBus): void {
  it('a message whose finer order cannot be told becomes a dead letter, and what comes after it is handled', async () => {
    const run = newRun();
    const stored = memoryDeadLetters();
    const orderBy = (message: BusMessage) => {
      if (message.id === `${run.mark}-1`) throw new TypeError('no such thread');
      return message.id;
    };
    const consumer = await bus().subscribe({
      group: run.group(),
      topic,
      concurrency: 4,
      retry: { ...quick, attempts: 2 },
      orderBy,
      deadLetters: stored,
      onMessage: run.only(),
    });
    await bus().publish(topic, run.make(4));
    await eventually(() => expect(new Set(run.numbers())).toEqual(new Set([0, 2, 3])));
    await eventually(async () => expect(await consumer.lag()).toBe(0));
    await consumer.close();
    expect(stored.ids().filter((id) => id.startsWith(run.mark))).toEqual([`${run.mark}-1`]);
  });
}

function trying(bus: GivenBus): void {
  it('RetryLater makes a message wait without counting as an attempt', async () => {
    const run = newRun();
    let refusals = 0;
    const tired = run.only(async () => {
      if ((refusals += 1) <= 8) throw new RetryLater(2);
    });
    const consumer = await bus().subscribe({
      group: run.group(),
      topic,
      retry: { ...quick, attempts: 2 },
      onMessage: tired,
    });
    await bus().publish(topic, run.make(2));
    await eventually(() => expect(run.numbers()).toEqual([0, 1]));
    await consumer.close();
  });

  it('a handler that outstays its time is aborted, and tried again', async () => {
    const run = newRun();
    let aborted = false;
    const onMessage = async (message: BusMessage, work: { attempt: number; signal: AbortSignal }) => {
      if (message.headers['mark'] !== run.mark) return;
      if (work.attempt > 1) return void run.seen.push(message);
      await new Promise((_resolve, reject) => work.signal.addEventListener('abort', reject));
    };
    const watched: typeof onMessage = (message, work) => {
      work.signal.addEventListener('abort', () => (aborted = true));
      return onMessage(message, work);
    };
    const consumer = await bus().subscribe({
      group: run.group(),
      topic,
      timeLimitMs: 30,
      retry: quick,
      onMessage: watched,
    });
    await bus().publish(topic, run.make(1));
    await eventually(() => expect(run.numbers()).toEqual([0]));
    expect(aborted).toBe(true);
    await consumer.close();
  });
}

function consumers(bus: GivenBus): void {
  it('a paused one begins nothing and goes on where it was; the lag says how much waits', async () => {
    const run = newRun();
    const consumer = await bus().subscribe({ group: run.group(), topic, onMessage: run.only() });
    await bus().publish(topic, run.make(5));
    await eventually(() => expect(run.numbers()).toEqual(upTo(5)));
    await eventually(async () => expect(await consumer.lag()).toBe(0));
    consumer.pause();
    await bus().publish(topic, run.make(10).slice(5));
    await eventually(async () => expect(await consumer.lag()).toBe(5));
    expect(run.seen).toHaveLength(5);
    consumer.resume();
    await eventually(() => expect(run.numbers()).toEqual(upTo(10)));
    await eventually(async () => expect(await consumer.lag()).toBe(0));
    await consumer.close();
  });

  it('one that closes in the middle leaves nothing undone and no order broken', async () => {
    const run = newRun();
    const slow = run.only(() => new Promise((resolve) => setTimeout(resolve, 2)));
    const subscription = { group: run.group(), topic, concurrency: 2, onMessage: slow };
    await bus().publish(topic, run.make(200, 3));
    const first = await bus().subscribe(subscription);
    await eventually(() => expect(run.seen.length).toBeGreaterThan(20));
    await first.close();
    const second = await bus().subscribe(subscription);
    await eventually(() => expect(new Set(run.numbers()).size).toBe(200));
    await second.close();
    for (const index of upTo(3)) {
      const firsts = [...new Set(run.numbers().filter((number) => number % 3 === index))];
      expect(firsts).toEqual(upTo(200).filter((number) => number % 3 === index));
    }
  });

  it('each is healthy until it closes', async () => {
    const run = newRun();
    const consumer = await bus().subscribe({ group: run.group(), topic, onMessage: run.only() });
    expect(consumer.healthy()).toBe(true);
    await consumer.close();
    expect(consumer.healthy()).toBe(false);
  });
}
