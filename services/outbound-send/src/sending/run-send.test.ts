import { describe, expect, it } from '@jest/globals';
import type { SendDocument } from '@postroom/mail-store/documents/send';
import { manualClock } from '@postroom/runtime/clock';
import { createLog } from '@postroom/runtime/log';
import type { Delivery } from '../smtp/delivery.ts';
import { memorySends } from './memory-sends.test-support.ts';
import { beginSend, runSend, type SendDeps, type Shown, type Step } from './run-send.ts';
import { LEASE_MS, OVER } from './states.ts';

/** What the server does with a whole message: takes it or not, and whether its answer arrives. */
const SERVERS = {
  takes: { takes: true, answer: 'accepted' },
  'takes and is cut off': { takes: true, answer: 'unknown' },
  'is cut off': { takes: false, answer: 'unknown' },
  refuses: { takes: false, answer: 'refused' },
  defers: { takes: false, answer: 'deferred' },
} as const;
type Server = keyof typeof SERVERS;
const STEPS: (Step | 'never')[] = [
  'never',
  'taken-up',
  'data-started',
  'data-ending',
  'answered',
  'accepted',
  'stored',
  'recorded',
];

class Killed extends Error {}

function world(kind: SendDocument['kind'], server: Server, filesCopies: boolean, killAt: Step | 'never') {
  const clock = manualClock();
  const store = memorySends();
  const taken: string[] = [];
  const recorded = new Set<string>();
  const shown: (Shown & { attempts: number })[] = [];
  let killed = false;
  let behaviour: Server = server;

  const deps: SendDeps = {
    sends: store.sends,
    context: { clock, log: createLog('test', 'silent') },
    serverOf: async () => ({ host: '', port: 0, isSecure: false, isPlain: true }),
    deliver: async (_server, _message, steps): Promise<Delivery> => {
      await steps.dataStarted();
      await steps.dataEnding();
      const { takes, answer } = SERVERS[behaviour];
      if (takes) taken.push('message');
      if (answer === 'accepted') return { outcome: 'accepted', response: '250', serverMessageId: null, refused: [] };
      if (answer === 'unknown') return { outcome: 'unknown', reason: 'cut off' };
      return { outcome: 'refused', reason: 'no', isFinal: answer === 'refused', refused: [] };
    },
    record: async ({ _id }) => {
      recorded.add(_id);
      return `eml_${_id}`;
    },
    isFiled: async () => filesCopies && taken.length > 0,
    objection: async () => null,
    show: async ({ attempts }, what) => void shown.push({ ...what, attempts }),
    count: () => undefined,
    at: (step) => {
      if (step !== killAt || killed) return;
      killed = true;
      throw new Killed();
    },
  };
  const workOff = async () => {
    for (let round = 0; round < 40; round++) {
      const due = await store.sends.claimDue(clock.date(), new Date(clock.now() + LEASE_MS), []);
      if (due) await runSend(due, deps).catch(() => undefined);
      else if (store.nextAt() === undefined) return;
      else clock.set((store.nextAt() ?? 0) + 1);
    }
  };
  const begin = async () => {
    const send = store.make(kind, new Date(clock.now() + LEASE_MS), clock.date());
    await store.sends.insert('w', send);
    await beginSend(send, deps).catch(() => undefined);
    behaviour = server === 'defers' ? 'takes' : server;
    await workOff();
    return store.only();
  };
  return { begin, taken, recorded, shown };
}

describe('a send, killed at every step, against every kind of server', () => {
  for (const kind of ['send', 'reply', 'forward'] as const) {
    for (const server of Object.keys(SERVERS) as Server[]) {
      for (const filesCopies of [true, false]) {
        it.each(STEPS)(
          `${kind}: server ${server}, copies ${filesCopies ? 'filed' : 'not filed'}, killed at %s`,
          async (step) => {
            const { begin, taken, recorded } = world(kind, server, filesCopies, step);
            const { state } = await begin();
            expect(taken.length).toBeLessThanOrEqual(1);
            expect([...OVER, 'unknown']).toContain(state);
            if (state === 'recorded') expect([taken.length, recorded.size]).toEqual([1, 1]);
            if (state === 'failed') expect(taken).toEqual([]);
            // Unknown is what nobody could know: only after the end of the message was handed over.
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

  it('has failed at once when it was deferred and a caller waits for it', async () => {
    const { begin } = world('send', 'defers', false, 'never');
    expect(await begin()).toMatchObject({ state: 'failed', attempts: 1 });
  });

  it.each([
    ['defers', ['pending: no', 'sent: null']],
    ['refuses', ['failed: no']],
    ['takes', ['sent: null']],
    ['is cut off', ['sending: what became of it is not known, and it is not sent again: cut off']],
  ] as const)('shows each attempt with its reason where the server %s', async (server, expected) => {
    const { begin, shown } = world('forward', server, false, 'never');
    await begin();
    const told = shown.filter(({ status, reason }) => status !== 'sending' || reason !== null);
    expect(told.map(({ status, reason }) => `${status}: ${reason}`)).toEqual(expected);
    expect(told.map(({ attempts }) => attempts)).toEqual(expected.map((_, at) => at + 1));
  });

  it('is not sent by a holder whose lease went to another', async () => {
    const store = memorySends();
    const clock = manualClock();
    const send = store.make('reply', clock.date(), clock.date());
    await store.sends.insert('w', send);
    await store.sends.claimDue(new Date(clock.now() + 1), new Date(clock.now() + LEASE_MS), []);
    const { taken } = world('reply', 'takes', false, 'never');
    const deps = {
      sends: store.sends,
      objection: async () => null,
      show: async () => undefined,
      context: { clock, log: createLog('test', 'silent') },
    } as unknown as SendDeps;
    await expect(runSend(send, deps)).rejects.toThrow('another holder');
    expect(taken).toEqual([]);
  });
});
