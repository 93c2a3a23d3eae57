import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ApiError } from '@postroom/errors/api-error';
import { NobodyAnswered } from '@postroom/errors/unavailable';
import { type ManualClock, manualClock } from '@postroom/runtime/clock';
import { silentLog } from '@postroom/runtime/log';
import { NoMoreAttempts, RetryLater } from './bus.ts';
import { consumeEvents, type EventConsumer } from './consume-events.ts';
import { encodeEvent } from './event.ts';
import { memoryBus, type MemoryBus } from './memory-bus.ts';
import { memoryDeadLetters } from './memory-dead-letters.test-support.ts';

let clock: ManualClock;
let bus: MemoryBus;
let deadLetters: ReturnType<typeof memoryDeadLetters>;
beforeEach(() => {
  clock = manualClock();
  bus = memoryBus({ clock, log: silentLog });
  deadLetters = memoryDeadLetters();
});
afterEach(() => bus.close());

const classified = (id: string, mailboxId = 'mbx_1', workspaceId = 'wsp_1') =>
  encodeEvent({
    id,
    type: 'email.classified',
    workspaceId,
    occurredAt: new Date(0),
    data: { emailId: `eml_${id}`, mailboxId, labelIds: [] },
  });
const consume = (consumer: Omit<EventConsumer<'email.classified'>, 'group' | 'type' | 'deadLetters'>) =>
  consumeEvents(
    bus,
    { lifecycle: { add: () => undefined }, clock },
    { group: 'forwarder', type: 'email.classified', deadLetters, ...consumer },
  );
const dead = () => deadLetters.ids();

describe('a consumer of a type of event', () => {
  it('is handed the event as its producer wrote it', async () => {
    const seen: unknown[] = [];
    await consume({ handle: async (event) => void seen.push(event) });
    await bus.publish('email.classified', [classified('e1')]);
    await bus.idle();
    expect(seen).toEqual([
      {
        id: 'e1',
        type: 'email.classified',
        workspaceId: 'wsp_1',
        occurredAt: new Date(0),
        data: { emailId: 'eml_e1', mailboxId: 'mbx_1', labelIds: [] },
      },
    ]);
  });

  it('is told how often an operator replayed the event, and gives it up at once where no attempt is left', async () => {
    const replays: number[] = [];
    await consume({
      handle: async (_event, work) => {
        replays.push(work.replays);
        if (work.replays < 2) throw new NoMoreAttempts('it ended its process');
      },
    });
    await bus.publish('email.classified', [classified('e1')]);
    await bus.idle();
    for (const _ of [1, 2]) {
      expect(dead()).toEqual(['e1']);
      await deadLetters.replay(bus);
      await bus.idle();
    }
    expect([replays, dead()]).toEqual([[0, 1, 2], []]);
  });

  it('takes nothing more once its service closes', async () => {
    const seen: string[] = [];
    const closing: (() => unknown)[] = [];
    const lifecycle = { add: (_name: string, close: () => unknown) => void closing.push(close) };
    const handle = async ({ id }: { id: string }) => void seen.push(id);
    await consumeEvents(
      bus,
      { lifecycle, clock },
      { group: 'forwarder', type: 'email.classified', deadLetters, handle },
    );
    await bus.publish('email.classified', [classified('e1')]);
    await bus.idle();
    for (const close of closing) await close();
    await bus.publish('email.classified', [classified('e2')]);
    await clock.advance(1_000);
    expect(seen).toEqual(['e1']);
  });

  it('takes one of each workspace in rotation, however many mailboxes a workspace has', async () => {
    const seen: string[] = [];
    await consume({ handle: async ({ workspaceId }) => void seen.push(workspaceId) });
    const many = Array.from({ length: 20 }, (_, n) => classified(`e${n}`, `mbx_${n}`, 'wsp_large'));
    await bus.publish('email.classified', [...many, classified('e20', 'mbx_20', 'wsp_small')]);
    await bus.idle();
    expect(seen.indexOf('wsp_small')).toBeLessThan(3);
  });

  it('never sees what cannot be read: that is a dead letter at once, also where the order asks for it', async () => {
    const seen: string[] = [];
    const handle = async ({ id }: { id: string }) => void seen.push(id);
    await consume({ handle, orderBy: ({ data }) => data.emailId });
    await bus.publish('email.classified', [{ ...classified('e1'), value: Buffer.from([255]) }, classified('e2')]);
    await bus.idle();
    expect([seen, dead()]).toEqual([['e2'], ['e1']]);
  });

  it('that throws RetryLater for an hour burns no attempt and gives up no event', async () => {
    let isUnavailable = true;
    const seen: string[] = [];
    await consume({
      handle: async ({ id }) => {
        if (isUnavailable) throw new RetryLater(30_000);
        seen.push(id);
      },
    });
    await bus.publish('email.classified', [classified('e1'), classified('e2')]);
    for (let minute = 0; minute < 60; minute += 1) await clock.advance(60_000);
    isUnavailable = false;
    await clock.advance(30_000);
    await bus.idle();
    expect([seen, dead()]).toEqual([['e1', 'e2'], []]);
  });

  it.each([
    ['throws RetryLater', new RetryLater(30_000)],
    ['fails', new Error('it fails')],
  ])(
    'that %s for many mailboxes holds up no other: what waits holds no slot, and what comes behind it waits with it',
    async (_how, error) => {
      const seen: string[] = [];
      let [running, most] = [0, 0];
      let isUnavailable = true;
      await consume({
        concurrency: 4,
        retry: { attempts: 5, firstDelayMs: 30_000, maxDelayMs: 30_000 },
        handle: async ({ id, data: { mailboxId } }) => {
          running += 1;
          most = Math.max(most, running);
          await clock.sleep(10).finally(() => (running -= 1));
          if (isUnavailable && mailboxId.startsWith('mbx_sick')) throw error;
          seen.push(id);
        },
      });
      const sick = Array.from({ length: 40 }, (_, n) => classified(`sick${n}`, `mbx_sick${n % 20}`));
      await bus.publish('email.classified', [...sick, classified('well', 'mbx_well', 'wsp_2')]);
      for (let tick = 0; tick < 20; tick += 1) await clock.advance(10);
      expect(seen).toEqual(['well']);
      isUnavailable = false;
      for (let second = 0; second < 40; second += 1) await clock.advance(1_000);
      await bus.idle();
      expect(seen).toHaveLength(41);
      for (let n = 0; n < 20; n += 1) expect(seen.indexOf(`sick${n}`)).toBeLessThan(seen.indexOf(`sick${n + 20}`));
      expect([most, dead()]).toEqual([4, []]);
    },
  );

  it('waits twice as long before each further attempt, and never longer than it was told', async () => {
    const tried: number[] = [];
    await consume({
      retry: { attempts: 7, firstDelayMs: 1_000, maxDelayMs: 10_000 },
      handle: async () => {
        tried.push(clock.now());
        throw new Error('always');
      },
    });
    await bus.publish('email.classified', [classified('e1')]);
    for (let tenth = 0; tenth < 600; tenth += 1) await clock.advance(100);
    const waited = tried.slice(1).map((at, n) => Math.round((at - (tried[n] ?? 0)) / 1_000));
    expect([waited, dead()]).toEqual([[1, 2, 4, 8, 10, 10], ['e1']]);
  });

  const peer = Object.assign(new Error('14'), { code: 14, details: 'No connection established. Last error: null' });

  it('asks a service that is not there after longer and longer pauses, of five seconds at most', async () => {
    const tried: number[] = [];
    await consume({
      handle: async () => {
        tried.push(clock.now());
        throw new Error('failed', { cause: peer });
      },
    });
    await bus.publish('email.classified', [classified('e1')]);
    for (let tenth = 0; tenth < 450; tenth += 1) await clock.advance(100);
    const waited = tried.slice(1).map((at, n) => Math.round((at - (tried[n] ?? 0)) / 1_000));
    expect(waited).toEqual([1, 1, 1, 1, 1, 1, 2, 2, 3, 3, 4, 5, 5, 5, 5, 5]);
  });

  it('burns no attempt either while a service or the database it asks is not there', async () => {
    const database = Object.assign(new Error('no primary'), { name: 'MongoServerSelectionError' });
    const unavailable = [peer, database].flatMap((cause) =>
      Array.from({ length: 6 }, () => new Error('failed', { cause })),
    );
    const seen: string[] = [];
    await consume({
      handle: async ({ id }, { attempt }) => {
        const error = unavailable.pop();
        if (error) throw error;
        seen.push(`${id} ${attempt}`);
      },
    });
    await bus.publish('email.classified', [classified('e1')]);
    for (let second = 0; second < 40; second += 1) await clock.advance(1_000);
    expect([seen, dead()]).toEqual([['e1 1'], []]);
  });

  describe('that asks what does not answer', () => {
    const tooLate = new ApiError('QUERY_TIMEOUT');
    const seen: string[] = [];
    beforeEach(() => void seen.splice(0));
    const consumeWhile = (fails: (id: string) => Error | undefined) =>
      consume({
        handle: async ({ id }, { attempt }) => {
          const error = fails(id);
          if (error) throw error;
          seen.push(`${id} ${attempt}`);
        },
      });
    const pass = async (minutes: number) => {
      for (let tenth = 0; tenth < minutes * 6; tenth += 1) await clock.advance(10_000);
    };

    it('burns no attempt while nobody is answered, for most of an hour', async () => {
      let isHanging = true;
      await consumeWhile(() => (isHanging ? new NobodyAnswered(tooLate) : undefined));
      await bus.publish('email.classified', [classified('e1'), classified('e2')]);
      await pass(50);
      expect([seen, dead()]).toEqual([[], []]);
      isHanging = false;
      await pass(1);
      expect([seen, dead()]).toEqual([['e1 1', 'e2 1'], []]);
    });

    it('gives up an event within a minute where others are answered', async () => {
      await consumeWhile((id) => (id === 'poison' ? tooLate : undefined));
      await bus.publish('email.classified', [classified('poison'), classified('behind')]);
      await pass(1);
      expect([seen, dead()]).toEqual([['behind 1'], ['poison']]);
    });

    it('gives up after little more than an hour an event that nobody can be held against, for those behind it', async () => {
      await consumeWhile((id) => (id === 'poison' ? new NobodyAnswered(tooLate) : undefined));
      await bus.publish('email.classified', [classified('poison'), classified('behind')]);
      await pass(55);
      expect([seen, dead()]).toEqual([[], []]);
      await pass(10);
      expect([seen, dead()]).toEqual([['behind 1'], ['poison']]);
    });
  });

  it('works on one email of each mailbox after the other: a flood in one holds up no other', async () => {
    const seen: string[] = [];
    await consume({
      concurrency: 2,
      orderBy: ({ data }) => data.emailId,
      handle: async ({ id }) => void seen.push(id),
    });
    const flood = Array.from({ length: 100 }, (_, n) => classified(`flood ${n}`, 'mbx_flooded'));
    await bus.publish('email.classified', [...flood, classified('one', 'mbx_2'), classified('two', 'mbx_3')]);
    await bus.idle();
    expect(seen).toHaveLength(102);
    expect(seen.slice(0, 6)).toEqual(expect.arrayContaining(['one', 'two']));
  });

  it('works on other mailboxes while one waits, and on that one in its order', async () => {
    const seen: string[] = [];
    let open: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => (open = resolve));
    await consume({
      concurrency: 4,
      handle: async ({ id }) => {
        if (id === 'slow') await gate;
        seen.push(id);
      },
    });
    await bus.publish('email.classified', [classified('slow'), classified('behind'), classified('other', 'mbx_2')]);
    await clock.advance(1);
    expect(seen).toEqual(['other']);
    open();
    await bus.idle();
    expect(seen).toEqual(['other', 'slow', 'behind']);
  });
});
