import { describe, expect, it } from '@jest/globals';
import type { SendDocument } from '@postroom/mail-store/documents/send';
import { manualClock } from '@postroom/runtime/clock';
import { createLog } from '@postroom/runtime/log';
import { memorySends } from './memory-sends.test-support.ts';
import { beginSend, runSend } from './run-send.ts';
import type { SendDeps, SendStep } from './send-deps.ts';
import { BOB, CY, NOBODY, type Server, SERVERS, sendWorld as world } from './send-world.test-support.ts';
import { SEND_LEASE_MS, OVER } from '../stored-sends/send-states.ts';

const STEPS: (SendStep | 'never')[] = [
  'never',
  'taken-up',
  'data-started',
  'data-ending',
  'answered',
  'accepted',
  'remainder-kept',
  'stored',
  'reported',
  'recorded',
];
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

it('a reply that is called back while it is looked at goes nowhere, and never says that it is on its way', async () => {
  const { deps, store, shown, taken, clock } = world('reply', 'takes', false, 'never');
  const reply = store.make('reply', clock.date(), clock.date());
  await store.sends.insert('w', reply);
  const unmet = async (send: SendDocument) => {
    await store.sends.takeUp('w', send, ['scheduled'], { state: 'canceled', nextAt: null });
    return null;
  };
  await expect(runSend(reply, { ...deps, unmet })).rejects.toThrow();
  expect([shown, taken, store.only().state]).toEqual([[], [], 'canceled']);
});

it.each([
  ['an agent', 'canceled'],
  ['a person', 'recorded'],
])('a send by %s is %s where sending by agents was stopped before it left', async (who, state) => {
  const { deps, store, taken, clock } = world('send', 'takes', false, 'never');
  const agent = { kind: 'grant', id: 'gra_1', name: 'Helper', personId: null } as const;
  const send = { ...store.make('send', clock.date(), clock.date()), agent: who === 'an agent' ? agent : null };
  await store.sends.insert('w', send);
  await beginSend(send, { ...deps, unmet: async () => 'sending by agents is stopped' }, 0);
  expect([store.only().state, taken.length]).toEqual([state, state === 'canceled' ? 0 : 1]);
});

it('a message whose end was not begun, because the answer of the database was lost before it, goes out later', async () => {
  const { deps, store, shown, taken, clock } = world('reply', 'takes', false, 'never');
  const reply = store.make('reply', clock.date(), clock.date());
  await store.sends.insert('w', reply);
  let isLost = false;
  const advance: typeof store.sends.advance = async (workspaceId, send, from, change) => {
    const isHeld = await store.sends.advance(workspaceId, send, from, change);
    if (change.state !== 'data_ending' || isLost) return isHeld;
    isLost = true;
    throw new Error('connection closed');
  };
  const deliver: typeof deps.deliver = async (...one) =>
    deps
      .deliver(...one)
      .catch(() => ({ outcome: 'refused', reason: 'no', isFinal: false, isServed: true, refused: [] }));
  await runSend(reply, { ...deps, sends: { ...store.sends, advance }, deliver });
  expect([store.only().state, shown.at(-1)?.status, taken]).toEqual(['scheduled', 'pending', []]);
  await runSend(store.only(), deps);
  expect([store.only().state, taken.length]).toEqual(['recorded', 1]);
});

describe('a send, killed at every step, against every kind of server', () => {
  for (const kind of ['send', 'reply', 'forward'] as const) {
    for (const server of Object.keys(SERVERS) as Server[]) {
      for (const filesCopies of [true, false]) {
        it.each(STEPS)(
          `${kind}: server ${server}, copies ${filesCopies ? 'filed' : 'not filed'}, killed at %s`,
          async (step) => {
            const { begin, taken, recorded, reported } = world(kind, server, filesCopies, step);
            const isToldLater = server === 'refuses one of two' || server.includes('refuses it later');
            const { state } = await begin();
            const got = taken.flat();
            expect(got).toHaveLength(new Set(got).size);
            expect([...OVER, 'unknown']).toContain(state);
            if (state === 'recorded')
              expect([got.toSorted(), recorded.size]).toEqual([isToldLater ? [BOB] : [BOB, CY], 1]);
            // A recipient that is refused for good while others accept is reported to the sender once.
            expect([...reported.values()]).toEqual(state === 'recorded' && isToldLater ? [[CY]] : []);
            if (state === 'failed') expect(taken).toEqual([]);
            // A filed copy proves that the server took the message, so the outcome is not unknown then.
            if (state === 'unknown') expect(filesCopies && taken.length > 0).toBe(false);
          },
        );
      }
    }
  }

  it('goes out on a later attempt when the first was deferred and nobody waits for it', async () => {
    const { begin, taken } = world('reply', 'defers', false, 'never');
    expect(await begin()).toMatchObject({ state: 'recorded', attempts: 2 });
    expect(taken).toHaveLength(1);
  });

  it.each(['reply', 'forward', 'remainder'] as const)(
    '%s: is not held against a message that its server is not there for twelve hours, and goes out when it is',
    async (kind) => {
      const { begin, clock, deps, taken, store } = world(kind, 'takes', false, 'never');
      const { deliver } = deps;
      const backAt = clock.now() + 12 * HOUR_MS;
      let asked = 0;
      deps.deliver = async (...given) => {
        if (clock.now() >= backAt) return deliver(...given);
        asked += 1;
        return { outcome: 'refused', reason: 'ECONNREFUSED', isFinal: false, isServed: false, refused: [] };
      };
      await begin(3_000);
      expect(store.only()).toMatchObject({ state: 'recorded', attempts: 1 });
      expect([asked > 100, taken.length, clock.now() - backAt < 2 * MINUTE_MS]).toEqual([true, 1, true]);
    },
  );

  it('has failed when its server was not there for a day', async () => {
    const { begin, clock, deps, shown } = world('forward', 'takes', false, 'never');
    const start = clock.now();
    deps.deliver = async () => {
      return { outcome: 'refused', reason: 'ECONNREFUSED', isFinal: false, isServed: false, refused: [] };
    };
    expect(await begin(6_000)).toMatchObject({ state: 'failed', lastError: 'ECONNREFUSED' });
    expect(Math.round((clock.now() - start) / HOUR_MS)).toBe(24);
    expect(shown.at(-1)).toMatchObject({ status: 'failed', reason: 'ECONNREFUSED' });
  });

  it.each([
    ['defers', ['pending: no', 'sent: null']],
    ['refuses', ['failed: no']],
    ['takes', ['sent: null']],
    [
      'is cut off',
      [
        'sending: what became of it is not known, and it is not sent again: cut off',
        'sending: after a day neither a copy nor a report says what became of it: cut off',
      ],
    ],
  ] as const)('shows each attempt with its reason where the server %s', async (server, expected) => {
    const { begin, shown } = world('forward', server, false, 'never');
    await begin();
    const told = shown.filter(({ status, reason }) => status !== 'sending' || reason !== null);
    expect(told.map(({ status, reason }) => `${status}: ${reason}`)).toEqual(expected);
    const attempts = server === 'is cut off' ? [1, 1] : expected.map((_, at) => at + 1);
    expect(told.map((one) => one.attempts)).toEqual(attempts);
  });

  it('is looked for until a day has passed, and then told to be unknown for good, once', async () => {
    const { begin, deps, store, clock, taken } = world('send', 'is cut off', false, 'never');
    const [searches, counted]: [number[], string[]] = [[], []];
    const start = clock.now();
    deps.isFiled = async () => searches.push(Math.round((clock.now() - start) / 1_000)) < 0;
    deps.count = (_send, outcome) => counted.push(outcome);
    const lastError = 'after a day neither a copy nor a report says what became of it: cut off';
    expect(await begin()).toMatchObject({ state: 'unknown', nextAt: null, lastError });
    expect(searches).toEqual([5, 30, 120, 600, 3_600, 21_600, 86_400]);
    // A repeated call searches for the copy once more, and reports nothing again.
    await runSend(store.only(), deps);
    expect([searches.length, store.only().nextAt, store.only().lastError]).toEqual([8, null, lastError]);
    expect([counted, taken]).toEqual([['unknown', 'unknown_for_good'], []]);
  });

  it.each([
    ['send', [BOB, CY]],
    ['reply', [BOB, CY]],
    ['forward', []],
  ] as const)('is reported to its sender once where its outcome stays unknown: %s', async (kind, told) => {
    const { begin, unknown, store, deps } = world(kind, 'is cut off', false, 'never');
    const { reportUndelivered } = deps;
    let calls = 0;
    deps.reportUndelivered = async (...args) => {
      calls += 1;
      // A service that is unavailable at that moment has it asked once more.
      if (calls === 1) throw new Error('unavailable');
      return reportUndelivered(...args);
    };
    await begin();
    await runSend(store.only(), deps);
    expect([store.only().state, unknown]).toEqual(['unknown', told]);
  });

  it('has failed once the caller has no time for another attempt', async () => {
    const { begin } = world('send', 'defers', false, 'never');
    expect(await begin()).toMatchObject({ state: 'failed', attempts: 1 });
  });

  it('is tried once more while its caller waits, and then never again', async () => {
    const patient = world('send', 'defers', false, 'never', manualClock().now() + 10_000);
    const sending = patient.begin();
    while (patient.clock.sleeping === 0) await new Promise(setImmediate);
    await patient.clock.advance(1_500);
    expect(await sending).toMatchObject({ state: 'failed', attempts: 2 });
  });

  it('tries only the deferred recipients again, and names at last who has not received it', async () => {
    const { begin, taken, store, deps } = world('send', 'defers one of two', false, 'never');
    const { deliver } = deps;
    let attempts = 0;
    deps.deliver = async (server, message, steps) =>
      ++attempts === 1
        ? deliver(server, message, steps)
        : { outcome: 'refused', reason: 'still full', isFinal: false, isServed: true, refused: [] };
    expect(await begin()).toMatchObject({ state: 'recorded', to: [BOB, CY] });
    expect(taken).toEqual([[BOB]]);
    const [asked, deferred] = [...store.all.values()];
    expect(deferred).toMatchObject({ kind: 'remainder', state: 'failed', to: [CY], attempts: 8, wire: null });
    expect(asked?.refused).toEqual([{ address: CY, reason: 'still full', isFinal: true }]);
  });

  it('does not take a copy of the message for a sign that those who were put off have it', async () => {
    const { begin, store, deps, unknown } = world('send', 'defers one of two', true, 'never');
    const { deliver } = deps;
    let attempts = 0;
    deps.deliver = async (server, message, steps) =>
      ++attempts === 1 ? deliver(server, message, steps) : { outcome: 'unknown', reason: 'cut off' };
    await begin();
    expect([...store.all.values()].map(({ kind, state }) => [kind, state])).toEqual([
      ['send', 'recorded'],
      ['remainder', 'unknown'],
    ]);
    expect(unknown).toEqual([CY]);
  });

  it('says of nobody that he has not got it, once he has', async () => {
    const { begin, store } = world('reply', 'defers one of two', false, 'never');
    await begin();
    expect([...store.all.values()].map(({ state, refused }) => [state, refused])).toEqual([
      ['recorded', []],
      ['recorded', []],
    ]);
  });

  it('is stored seldomer the longer that fails, and shown meanwhile', async () => {
    const { begin, deps, store, clock } = world('send', 'takes', false, 'never');
    let tries = 0;
    deps.record = async () => {
      tries += 1;
      throw new Error('mailbox-write is unavailable');
    };
    const start = clock.now();
    expect(await begin()).toMatchObject({
      state: 'accepted',
      lastError: 'sent, and not stored: mailbox-write could not be asked',
    });
    expect(tries).toBe(21);
    expect(clock.now() - start).toBeGreaterThan(24 * 3_600_000);
    expect(store.only().wire).not.toBeNull();
  });

  it('is not sent by a holder whose lease went to another', async () => {
    const store = memorySends();
    const clock = manualClock();
    const send = store.make('reply', clock.date(), clock.date());
    await store.sends.insert('w', send);
    await store.sends.claimDue(new Date(clock.now() + 1), new Date(clock.now() + SEND_LEASE_MS), NOBODY);
    const { taken } = world('reply', 'takes', false, 'never');
    const deps = {
      sends: store.sends,
      unmet: async () => null,
      show: async () => true,
      context: { clock, log: createLog('test', 'silent') },
    } as unknown as SendDeps;
    await expect(runSend(send, deps)).rejects.toThrow('another holder');
    expect(taken).toEqual([]);
  });
});
