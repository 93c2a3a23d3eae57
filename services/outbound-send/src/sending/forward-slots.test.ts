import { describe, expect, it } from '@jest/globals';
import type { SendDocument } from '@postroom/mail-store/documents/send';
import { manualClock } from '@postroom/runtime/clock';
import { silentLog } from '@postroom/runtime/log';
import { noTracing } from '@postroom/runtime/tracing';
import type { ForwardSlotStore, SlotQuery } from './forward-slot-store.ts';
import { createForwardSlots } from './forward-slots.ts';
import { memorySends } from './memory-sends.test-support.ts';
import { runSend } from './run-send.ts';
import type { SendDeps, ShownState } from './send-deps.ts';
import { NOBODY } from './send-world.test-support.ts';

const HOUR_MS = 3_600_000;

/** The store's promises without a database. */
function memorySlots(all: () => SendDocument[]): ForwardSlotStore {
  const times = ({ ruleId }: SlotQuery['of'], others: (send: SendDocument) => boolean) =>
    all()
      .filter((send) => send.state !== 'canceled' && (ruleId === undefined || send.ruleId === ruleId))
      .filter(others)
      .map(({ scheduledSendAt }) => scheduledSendAt?.getTime() ?? 0);
  return {
    countInHour: async (_workspaceId, { send, at, of }) => {
      const end = at.getTime();
      const isOwn = send.scheduledSendAt?.getTime() === end;
      const isBefore = ({ _id, scheduledSendAt }: SendDocument) =>
        isOwn ? Number(scheduledSendAt) < end || _id < send._id : _id !== send._id;
      return times(of, isBefore).filter((time) => time > end - HOUR_MS && time <= end).length;
    },
    nthLast: async (_workspaceId, { send, at, of }, nth) => {
      const around = times(of, ({ _id }) => _id !== send._id).filter(
        (time) => Math.abs(time - at.getTime()) <= HOUR_MS,
      );
      const time = around.toSorted((one, other) => other - one)[nth - 1];
      return time === undefined ? null : new Date(time);
    },
    countWaiting: async (_workspaceId, now) => times({}, () => true).filter((time) => time > now.getTime()).length,
  };
}

interface Log extends ShownState {
  at: number;
}

/** A process that sends, or several that share a database, on a clock that is moved to what is due next. */
function world({ rule = 100, workspace = 1_000, mostWaiting = 5_000, processes = 1 } = {}) {
  const clock = manualClock('2026-03-01T12:00:00Z');
  const store = memorySends();
  const left: { id: string; ruleId: string | null; at: number }[] = [];
  const log = new Map<string, Log[]>();
  let unmet: string | null = null;
  const counted: string[] = [];
  const slotsOf = () =>
    createForwardSlots({
      store: memorySlots(() => [...store.all.values()]),
      clock,
      perHour: { rule, workspace },
      mostWaiting,
      count: (outcome, full) => counted.push(`${full} ${outcome}`),
    });
  const depsOf = (): SendDeps => ({
    sends: store.sends,
    context: { clock, log: silentLog, tracing: noTracing },
    serverOf: async () => ({ host: '', port: 0, isSecure: false, isPlain: true }),
    served: () => undefined,
    deliver: async (_server, { operation }) => {
      const { ruleId = null, scheduledSendAt } = store.all.get(operation) ?? {};
      // Its slot, which is at most a minute before now.
      left.push({ id: operation, ruleId, at: Number(scheduledSendAt) });
      expect(clock.now() - Number(scheduledSendAt)).toBeLessThanOrEqual(60_000);
      return { outcome: 'accepted', response: '250', serverMessageId: null, refused: [] };
    },
    attach: async () => ({ reason: 'nothing to attach', isFinal: true }),
    record: async ({ _id }) => `eml_${_id}`,
    reportUndelivered: async () => undefined,
    draftIsUnchanged: async () => true,
    isFiled: async () => false,
    unmet: async () => unmet,
    slots: slotsOf(),
    show: async ({ _id }, shown) => {
      log.set(_id, [...(log.get(_id) ?? []), { ...shown, at: clock.now() }]);
      return true;
    },
    count: () => undefined,
  });
  const all = Array.from({ length: processes }, depsOf);
  const arrive = async (count: number, ruleId = 'afr_1') => {
    for (let n = 0; n < count; n += 1) {
      const now = clock.date();
      const made = store.make('forward', now, now);
      const _id = `snd_${String(store.all.size).padStart(5, '0')}`;
      await store.sends.insert('w', { ...made, _id, ruleId, scheduledSendAt: now });
      clock.set(clock.now() + 1);
    }
  };
  /** All that is due is worked on side by side, until a time. */
  const workUntil = async (end: number) => {
    for (;;) {
      const due: SendDocument[] = [];
      const claim = () => store.sends.claimDue(clock.date(), new Date(clock.now() + 60_000), NOBODY);
      for (let one = await claim(); one; one = await claim()) due.push(one);
      await Promise.all(due.map((one, n) => runSend(one, all[n % processes]!)));
      if (due.length > 0) continue;
      const next = store.nextAt();
      if (next === undefined || next > end) return clock.set(end);
      clock.set(next);
    }
  };
  return { clock, store, left, log, counted, arrive, workUntil, object: (why: string) => (unmet = why) };
}

/** The most that left within any hour. */
function mostInAnHour(left: readonly { at: number }[]): number {
  return Math.max(...left.map(({ at }) => left.filter((one) => one.at > at - HOUR_MS && one.at <= at).length));
}

describe('forwards of a rule past those of an hour', () => {
  it('wait for their hour, each with its time in the log, and leave in the order in which they came', async () => {
    const { arrive, workUntil, left, log, clock } = world();
    const begin = clock.now();
    await arrive(130);
    await workUntil(begin + HOUR_MS / 2);
    expect(left).toHaveLength(100);
    const waiting = [...log.values()].filter((lines) => lines.at(-1)?.status === 'waiting');
    expect(waiting).toHaveLength(30);
    expect(waiting[0]).toMatchObject([{ reason: 'the rule has forwarded as many emails within an hour as it may' }]);
    await workUntil(begin + 2 * HOUR_MS);
    expect(left.map(({ id }) => id)).toEqual([...log.keys()].toSorted());
    expect(mostInAnHour(left)).toBe(100);
    // The time that the log told was kept.
    for (const [first, last] of waiting) expect(last?.at ?? 0).toBeLessThanOrEqual(Number(first?.sendAt) + 1_000);
  });

  it('are looked at once when they come and once when they leave', async () => {
    const { arrive, workUntil, clock, log } = world({ rule: 20 });
    const begin = clock.now();
    await arrive(90);
    await workUntil(begin + 5 * HOUR_MS);
    expect([...log.values()].every((lines) => lines.filter(({ status }) => status === 'waiting').length <= 1)).toBe(
      true,
    );
  });

  it('exceed no bound where three processes place them at once', async () => {
    const { arrive, workUntil, left, clock } = world({ rule: 10, workspace: 25, processes: 3 });
    const begin = clock.now();
    for (const ruleId of ['a', 'b', 'c', 'd']) await arrive(40, ruleId);
    await workUntil(begin + 24 * HOUR_MS);
    expect(left).toHaveLength(160);
    expect(mostInAnHour(left)).toBe(25);
    for (const ruleId of ['a', 'b', 'c', 'd'])
      expect(mostInAnHour(left.filter((one) => one.ruleId === ruleId))).toBeLessThanOrEqual(10);
  });

  it('hold up no other rule of the workspace', async () => {
    const { arrive, workUntil, left, clock } = world({ rule: 10 });
    const begin = clock.now();
    await arrive(200, 'flood');
    await workUntil(clock.now() + 1);
    await arrive(5, 'other');
    await workUntil(begin + 60_000);
    expect(left.filter(({ ruleId }) => ruleId === 'other')).toHaveLength(5);
  });

  it('are told whose hour is full: here that of all rules of the workspace', async () => {
    const { arrive, workUntil, left, log, clock } = world({ rule: 3, workspace: 5 });
    const begin = clock.now();
    await arrive(3, 'one');
    await arrive(5, 'other');
    await workUntil(begin + 60_000);
    expect(left).toHaveLength(5);
    const reasons = [...log.values()].flatMap((lines) =>
      lines.at(-1)?.status === 'waiting' ? lines.at(-1)?.reason : [],
    );
    const ofAll = 'the rules of the workspace have forwarded as many emails within an hour as they may';
    expect(reasons).toEqual([ofAll, ofAll, ofAll]);
  });

  it('are skipped, with the reason, where no hour within a day has room', async () => {
    const { arrive, workUntil, left, log, clock, counted } = world({ rule: 2 });
    const begin = clock.now();
    await arrive(60);
    await workUntil(begin + 48 * HOUR_MS);
    expect(left).toHaveLength(2 * 25);
    const skipped = [...log.values()].filter((lines) => lines.at(-1)?.status === 'canceled');
    expect(skipped).toHaveLength(10);
    expect(skipped[0]?.at(-1)?.reason).toBe(
      'the rule has forwarded as many emails within an hour as it may, and no hour within a day has room',
    );
    expect(counted.filter((one) => one === 'rule skipped')).toHaveLength(10);
  });

  it('are skipped where too many of the workspace wait already', async () => {
    const { arrive, workUntil, store, clock } = world({ rule: 2, mostWaiting: 5 });
    await arrive(20);
    await workUntil(clock.now() + 1);
    const states = [...store.all.values()].map(({ state }) => state);
    expect(states.filter((state) => state === 'scheduled')).toHaveLength(5);
    expect(states.filter((state) => state === 'canceled')).toHaveLength(13);
    const canceled = [...store.all.values()].filter(({ state }) => state === 'canceled');
    expect(canceled.filter(({ scheduledSendAt }) => scheduledSendAt !== null)).toEqual([]);
  });

  it('go nowhere when their rule is off at their time, which the log says', async () => {
    const { arrive, workUntil, left, log, clock, object } = world({ rule: 2 });
    const begin = clock.now();
    await arrive(3);
    await workUntil(clock.now() + 1);
    object('the rule is off or gone, or forwards to another address now');
    await workUntil(begin + 2 * HOUR_MS);
    expect(left).toHaveLength(2);
    expect(log.get('snd_00002')?.map(({ status }) => status)).toEqual(['waiting', 'canceled']);
  });

  it('keep the bound when a backlog of hours leaves at once', async () => {
    const { arrive, workUntil, left, clock } = world({ rule: 10 });
    for (let hour = 0; hour < 4; hour += 1) {
      await arrive(10);
      clock.set(clock.now() + HOUR_MS);
    }
    const begin = clock.now();
    await workUntil(begin + 6 * HOUR_MS);
    expect(left).toHaveLength(40);
    expect(mostInAnHour(left)).toBe(10);
  });
});
