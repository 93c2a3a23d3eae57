import { describe, expect, it } from '@jest/globals';
import { manualClock } from '@postroom/runtime/clock';
import { silentLog } from '@postroom/runtime/log';
import { noTracing } from '@postroom/runtime/tracing';
import { memorySends } from './memory-sends.test-support.ts';
import { runSend } from './run-send.ts';
import type { Attaching, SendDeps, SendStep } from './send-deps.ts';
import { anySlot } from './send-world.test-support.ts';
import { SEND_LEASE_MS } from '../stored-sends/send-states.ts';

const NOBODY = { mailboxIds: [], workspaceIds: [] };
const UNAVAILABLE: Attaching = { reason: 'away', isFinal: false };
const GONE: Attaching = { reason: 'gone', isFinal: true };
const WHOLE = 'the whole message';
const STEPS: SendStep[] = ['taken-up', 'data-started', 'data-ending', 'answered', 'accepted', 'stored', 'recorded'];
const HOUR_MS = 3_600_000;

/** A forward that takes attachments along, worked on until it is over; `attach` is asked with the age of the send. */
async function forwarded(attach: (ageMs: number) => Attaching | 'whole', killAt?: SendStep) {
  const clock = manualClock();
  const store = memorySends();
  const taken: string[] = [];
  const recorded: string[] = [];
  const told: string[] = [];
  const start = clock.now();
  let held = 0;
  let isKilled = false;
  const deps: SendDeps = {
    sends: store.sends,
    context: { clock, log: silentLog, tracing: noTracing },
    serverOf: async () => ({ host: '', port: 0, isSecure: false, isPlain: true }),
    attach: async () => {
      const answer = attach(clock.now() - start);
      if (answer !== 'whole') return answer;
      held += 1;
      return { wire: Buffer.from(WHOLE), leave: () => void (held -= 1) };
    },
    served: () => undefined,
    deliver: async (_server, { bytes }, steps) => {
      await steps.dataStarted([]);
      await steps.dataEnding();
      taken.push(bytes.toString());
      return { outcome: 'accepted', response: '250', serverMessageId: null, refused: [] };
    },
    record: async ({ wire }) => {
      recorded.push(wire?.toString() ?? '');
      return 'eml_sent';
    },
    reportUndelivered: async () => undefined,
    draftIsUnchanged: async () => true,
    isFiled: async () => taken.length > 0,
    unmet: async () => null,
    slots: anySlot,
    show: async ({ attempts }, { status, reason }) => {
      if (reason) told.push(`${status} ${attempts}: ${reason}`);
      return true;
    },
    count: () => undefined,
    at: (step) => {
      if (isKilled || step !== killAt) return;
      isKilled = true;
      throw new Error('killed');
    },
  };
  await store.sends.insert('w', { ...store.make('forward', clock.date(), clock.date()), attaches: true, kept: null });
  for (let passes = 0; passes < 2_000 && store.nextAt() !== undefined; passes++) {
    clock.set(Math.max(clock.now(), (store.nextAt() ?? 0) + 1));
    const due = await store.sends.claimDue(clock.date(), new Date(clock.now() + SEND_LEASE_MS), NOBODY);
    if (due) await runSend(due, deps).catch(() => undefined);
  }
  const { state, attempts } = store.only();
  return { state, attempts, taken, recorded, told, held, ageMs: clock.now() - start };
}

describe('a forward with attachments', () => {
  it.each(STEPS)('killed at %s goes out once, whole, and is stored as it went out', async (step) => {
    const { state, taken, recorded, held } = await forwarded(() => 'whole', step);
    // Killed with its end on the way, what is not filed anywhere would stay unknown, and never go out again.
    expect(taken.length).toBe(step === 'data-ending' ? 0 : 1);
    expect(new Set([...taken, ...recorded])).toEqual(new Set(step === 'data-ending' ? [] : [WHOLE]));
    expect([state, held]).toEqual([step === 'data-ending' ? 'unknown' : 'recorded', 0]);
  });

  it('waits for them without an attempt, and goes out when they are there', async () => {
    const { state, attempts, told } = await forwarded((age) => (age < 5 * HOUR_MS ? UNAVAILABLE : 'whole'));
    expect([state, attempts]).toEqual(['recorded', 1]);
    expect(new Set(told)).toEqual(new Set(['pending 0: away']));
  });

  it('fails after a day without them, and says why', async () => {
    const { state, attempts, told, ageMs, taken } = await forwarded(() => UNAVAILABLE);
    expect([state, attempts, taken]).toEqual(['failed', 0, []]);
    expect(told.at(-1)).toBe('failed 0: away');
    expect(Math.round(ageMs / HOUR_MS)).toBe(24);
  });

  it('fails at once where they are gone, and goes out without nothing', async () => {
    const { state, told, taken } = await forwarded(() => GONE);
    expect([state, told, taken]).toEqual(['failed', ['failed 0: gone'], []]);
  });

  it('is stored without them where they went meanwhile: that it was sent is worth more', async () => {
    let asked = 0;
    const { state, recorded } = await forwarded(() => (++asked === 1 ? 'whole' : GONE), 'accepted');
    expect([state, recorded]).toEqual(['recorded', ['Subject: x\r\n\r\ny']]);
  });
});
