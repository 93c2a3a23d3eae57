import { describe, expect, it } from '@jest/globals';
import type { SendDocument } from '@postroom/mail-store/documents/send';
import type { Call } from '@postroom/rpc/call';
import {
  type AtCall,
  dying,
  forEveryKillPoint,
  interleave,
  ordersOfTwo,
  watched,
} from '../../../../test/support/interleavings.ts';
import { endOf } from '../../../../test/support/draft-work.ts';
import { sendIdOf } from '../new-send/new-send.ts';
import { beginSend, runSend } from '../sending/run-send.ts';
import { NOBODY, sendWorld } from '../sending/send-world.test-support.ts';
import { SEND_LEASE_MS } from '../stored-sends/send-states.ts';
import { type SendMessage, sendNow, type SendNowDeps } from './send-now.ts';

const ANN = { email: 'ann@acme.example', name: null };
const { signal } = new AbortController();
const call = { workspaceId: 'w', operationId: 'op', remainingMs: () => 5_000, signal } as unknown as Call;
const OVER = ['recorded', 'failed', 'canceled'];

interface Calls {
  /** Whether an earlier call of the operation has failed. */
  isKnown: boolean;
  /** The second of the calls gets no permit. */
  isBusy: boolean;
}

/** Two calls of one operation that have read its send before either of them changed it. */
async function twoCalls({ isKnown, isBusy }: Calls) {
  const { deps, store, taken, clock } = sendWorld('send', 'takes', false, 'never');
  const { all, sends, make } = store;
  const made = { ...make('send', clock.date(), clock.date()), _id: sendIdOf(call), nextAt: null };
  const known: SendDocument | null = isKnown ? { ...made, state: 'failed', lastError: 'no' } : null;
  if (known) await sends.insert('w', known);
  const composition = { messageId: '<a@x>', date: clock.date(), from: ANN, to: [ANN], cc: [], bcc: [], subject: 'A' };
  const written = { text: 'B', html: null, inReplyTo: null, references: [], headers: {}, attachments: [] };
  const message = {
    composition: { ...composition, ...written },
    said: { kind: 'send', mailboxId: 'm', fingerprint: 'f' },
  } as unknown as SendMessage;
  const what = { operation: call, known, from: ['failed'] as const };
  const answers: string[] = [];

  const process = (n: number) => async (at: AtCall) => {
    const work = { ...deps, sends: watched(sends, at) };
    const sender = {
      permitWithin: async () => (isBusy && n === 1 ? undefined : { leave: async () => undefined }),
      begin: (send: SendDocument) => beginSend(send, work, 0),
      wake: () => undefined,
    };
    const own = { context: deps.context, sends: work.sends, sender, leaseMs: SEND_LEASE_MS } as unknown as SendNowDeps;
    answers[n] = await endOf(sendNow(what, async () => message, call, own));
  };
  const workAllOff = async () => {
    for (let attempt = 0; attempt < 4; attempt += 1) {
      clock.set(clock.now() + SEND_LEASE_MS);
      const due = await sends.claimDue(clock.date(), new Date(clock.now() + SEND_LEASE_MS), NOBODY);
      if (due) await runSend(due, deps).catch(() => undefined);
    }
  };
  return { process, workAllOff, answers, taken, state: () => [...all.values()][0]?.state ?? 'none' };
}

function expectTruth({ answers, taken, state }: Awaited<ReturnType<typeof twoCalls>>, of: readonly number[]): void {
  const told = JSON.stringify({ answers, taken: taken.length, state: state() });
  expect([told, taken.length <= 1]).toEqual([told, true]);
  for (const answer of of.map((n) => answers[n])) {
    if (answer === 'done') expect([told, taken.length, state()]).toEqual([told, 1, 'recorded']);
    if (answer === 'INTERNAL_ERROR') expect([told, taken.length]).toEqual([told, 0]);
    expect(['done', 'CONFLICT', 'INTERNAL_ERROR', 'QUERY_TIMEOUT']).toContain(answer);
  }
}

describe.each([
  { isKnown: false, isBusy: false },
  { isKnown: true, isBusy: false },
  { isKnown: false, isBusy: true },
  { isKnown: true, isBusy: true },
])('two calls of one operation at once: %j', (calls) => {
  it('send one message at most, and both are told the truth', async () => {
    const play = async (schedule: (n: number) => number) => {
      const here = await twoCalls(calls);
      const count = await interleave([here.process(0), here.process(1)], schedule);
      await here.workAllOff();
      expectTruth(here, [0, 1]);
      return count;
    };
    const count = await play((n) => n % 2);
    for (const schedule of ordersOfTwo(count)) await play(schedule);
  });

  it('leave nothing under way when the process of the first dies, and the second is told the truth', async () => {
    await forEveryKillPoint(async (deadly, when, schedule) => {
      const here = await twoCalls(calls);
      const death = dying(deadly, when);
      const first = async (at: AtCall) =>
        here.process(0)((name, made) => death.at(name, () => at(name, made) as Promise<unknown>));
      const count = await interleave([first, here.process(1)], schedule);
      await here.workAllOff();
      expectTruth(here, [1]);
      const open = JSON.stringify([deadly, when, here.answers, here.state()]);
      expect([open, [...OVER, 'unknown', 'none'].includes(here.state())]).toEqual([open, true]);
      return count;
    }, 2);
  });
});
