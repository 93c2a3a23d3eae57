import { describe, expect, it } from '@jest/globals';
import { manualClock } from '@postroom/runtime/clock';
import { silentLog } from '@postroom/runtime/log';
import type { Call } from '@postroom/rpc/call';
import type { SendDocument } from '@postroom/mail-store/documents/send';
import { ApiError } from '@postroom/errors/api-error';
import type { SendPermit } from '../send-permits/send-permits.ts';
import { searchNow, type SendMessage, sendNow, type SendNowDeps } from './send-now.ts';

const FROM = { email: 'bob@example.com', name: null };
const MESSAGE = {
  composition: {
    messageId: '<a@x>',
    date: new Date(),
    from: FROM,
    to: [FROM],
    cc: [],
    bcc: [],
    subject: 'A',
    text: 'B',
    html: null,
    inReplyTo: null,
    references: [],
    headers: {},
    attachments: [],
  },
  said: { kind: 'send', mailboxId: 'mbx_1', fingerprint: 'f' },
} as unknown as SendMessage;

interface Odds {
  /** False where another call of the operation has inserted its send. */
  isInserted?: boolean;
  isBusy?: boolean;
  /** The call is over at this step: it is aborted, or its time has passed and nothing has aborted it yet. */
  isOverAt?: 'permit' | 'insert';
  isAborted?: boolean;
  /** A worker or another call holds the send by now. */
  isTakenUp?: boolean;
  /** The send of an earlier call. */
  known?: SendDocument;
  compose?: () => Promise<SendMessage>;
  /** The error of this call of the store. */
  failing?: { at: 'insert' | 'advance'; error: Error };
}

/** A send with a permit of its own, and what its sender makes of it. */
function sending(begin: SendNowDeps['sender']['begin'], odds: Odds = {}) {
  const { isInserted = true, isBusy, isOverAt, isAborted = true, isTakenUp, known = null, failing } = odds;
  const clock = manualClock();
  const left: string[] = [];
  const stored: (string | undefined)[] = [];
  const gone = new AbortController();
  const until = clock.now() + 10_000;
  const end = () => (isAborted ? gone.abort() : clock.set(until));
  const step = (name: Odds['isOverAt']) => void (isOverAt === name && end());
  const store = (name: 'insert' | 'advance') => {
    if (failing?.at === name) throw failing.error;
  };
  const permit = { leave: async () => void left.push('by the call') } as unknown as SendPermit;
  const deps = {
    context: { clock, log: silentLog },
    sends: {
      insert: async (_workspaceId: string, { state }: SendDocument) => {
        step('insert');
        store('insert');
        if (isInserted) stored.push(state);
        return isInserted;
      },
      takeUp: async (...[, , , change]: Parameters<SendNowDeps['sends']['takeUp']>) => {
        if (isTakenUp) return null;
        stored.push(change.state);
        return { ...known, ...change };
      },
      advance: async (...[, , , { state }]: Parameters<SendNowDeps['sends']['advance']>) => {
        store('advance');
        if (!isTakenUp) stored.push(state);
        return !isTakenUp;
      },
    },
    sender: {
      permitWithin: async () => (step('permit'), isBusy ? undefined : permit),
      begin,
      wake: () => undefined,
    },
    leaseMs: 60_000,
  } as unknown as SendNowDeps;
  const remainingMs = () => until - clock.now();
  const call = { workspaceId: 'wsp_1', operationId: 'op', remainingMs, signal: gone.signal } as unknown as Call;
  const what = { operation: { workspaceId: 'wsp_1', operationId: 'op' }, known, from: ['failed'] as const };
  const outcome = sendNow(what, odds.compose ?? (async () => MESSAGE), call, deps).catch((error: unknown) => error);
  return { clock, left, stored, outcome };
}

const neverBegun = () => Promise.reject(new Error('not reached'));

it('a permit is not released by a call whose time is over, while its message is in transit', async () => {
  const { clock, left, outcome } = sending(() => new Promise(() => undefined));
  for (let second = 0; second < 12; second += 1) await clock.advance(1_000);
  expect(await outcome).toMatchObject({ code: 'QUERY_TIMEOUT' });
  expect(left).toEqual([]);
});

it('a permit is not released by a call again, when its message was refused and the sender has released it', async () => {
  const { left, outcome } = sending(async (send) => ({ ...send, state: 'failed', lastError: 'no' }) as SendDocument);
  expect(await outcome).toMatchObject({ code: 'INTERNAL_ERROR' });
  expect(left).toEqual([]);
});

it('a permit is released by a call that does not begin its send', async () => {
  const { left, outcome } = sending(neverBegun, { isInserted: false });
  expect(await outcome).toMatchObject({ code: 'CONFLICT' });
  expect(left).toEqual(['by the call']);
});

it.each([
  ['permit', true],
  ['permit', false],
  ['insert', true],
  ['insert', false],
] as const)(
  'a call that is over after its %s sends nothing any more (it is aborted: %s)',
  async (isOverAt, isAborted) => {
    const { left, stored, outcome } = sending(neverBegun, { isOverAt, isAborted });
    expect(await outcome).toMatchObject({
      code: 'INTERNAL_ERROR',
      message: expect.stringMatching(/^Nothing was sent/),
    });
    expect(left).toEqual(['by the call']);
    expect(stored.at(-1)).toBe(isOverAt === 'insert' ? 'failed' : undefined);
  },
);

it('a call whose time is over says nothing of its message where a worker has taken it up', async () => {
  const { outcome } = sending(neverBegun, { isOverAt: 'insert', isTakenUp: true });
  expect(await outcome).toMatchObject({ code: 'CONFLICT' });
});

it('a call that finds its mailbox busy ends its operation, so that an earlier call begins it no more', async () => {
  const { stored, outcome } = sending(neverBegun, { isBusy: true });
  expect(await outcome).toMatchObject({ code: 'INTERNAL_ERROR', message: expect.stringMatching(/^Nothing was sent/) });
  expect(stored).toEqual(['failed']);
});

it('a call that finds its mailbox busy says nothing of a message that an earlier call sends', async () => {
  const { outcome } = sending(neverBegun, { isBusy: true, isInserted: false });
  expect(await outcome).toMatchObject({ code: 'CONFLICT' });
});

const FAILED = { _id: 'snd_1', state: 'failed', epoch: 3, createdAt: new Date(0), lastError: 'no' } as SendDocument;

it('a send that begins anew is as old as this attempt, so that its server has a whole day to come back', async () => {
  const begun: SendDocument[] = [];
  const { outcome } = sending(
    async (send) => {
      begun.push(send);
      return { ...send, state: 'recorded' };
    },
    { known: FAILED },
  );
  expect(await outcome).toMatchObject({ state: 'recorded' });
  expect(begun[0]?.createdAt).toEqual(MESSAGE.composition.date);
});

it('a call that finds its mailbox busy takes a failed send from an earlier call, which begins it no more', async () => {
  const { stored, outcome } = sending(neverBegun, { isBusy: true, known: FAILED });
  expect(await outcome).toMatchObject({ code: 'INTERNAL_ERROR', message: expect.stringMatching(/^Nothing was sent/) });
  // Its state is as before; its holder is another.
  expect(stored).toEqual([undefined]);
});

it('a call that finds its mailbox busy says nothing of a failed send that another call begins anew', async () => {
  const { outcome } = sending(neverBegun, { isBusy: true, known: FAILED, isTakenUp: true });
  expect(await outcome).toMatchObject({ code: 'CONFLICT' });
});

describe('a store that fails', () => {
  const lost = new Error('connection lost');

  it('leaves it open whether a call ended its operation, when its mailbox was busy', async () => {
    const { outcome } = sending(neverBegun, { isBusy: true, failing: { at: 'insert', error: lost } });
    expect(await outcome).toMatchObject({ code: 'QUERY_TIMEOUT', cause: lost });
  });

  it('leaves it open whether a call that is over ended its send', async () => {
    const { left, outcome } = sending(neverBegun, { isOverAt: 'insert', failing: { at: 'advance', error: lost } });
    expect(await outcome).toMatchObject({ code: 'QUERY_TIMEOUT', cause: lost });
    expect(left).toEqual(['by the call']);
  });

  it('begins no send, and the permit is released', async () => {
    const { left, outcome } = sending(neverBegun, { failing: { at: 'insert', error: lost } });
    expect(await outcome).toBe(lost);
    expect(left).toEqual(['by the call']);
  });

  it('begins no send when it has no time, and nothing was sent', async () => {
    const error = new ApiError('QUERY_TIMEOUT');
    const { left, outcome } = sending(neverBegun, { failing: { at: 'insert', error } });
    expect(await outcome).toMatchObject({
      code: 'INTERNAL_ERROR',
      message: expect.stringMatching(/^Nothing was sent/),
    });
    expect(left).toEqual(['by the call']);
  });
});

it('a message that cannot be composed is refused for its own reason', async () => {
  const compose = async () => Promise.reject(new ApiError('MAILBOX_INACTIVE'));
  expect(await sending(neverBegun, { compose }).outcome).toMatchObject({ code: 'MAILBOX_INACTIVE' });
});

it.each([
  ['unknown', null, true],
  ['accepted', 'sent, and not stored', true],
  ['accepted', null, false],
  ['connecting', null, false],
  ['scheduled', null, false],
] as const)('a repeated call has a send in state %s (%s) taken up at once: %s', async (state, lastError, isNow) => {
  const changes: unknown[] = [];
  const advance = async (...[, , , change]: Parameters<SendNowDeps['sends']['advance']>) => changes.push(change) > 0;
  const clock = manualClock();
  const deps = { context: { clock }, sends: { advance }, sender: { wake: () => changes.push('woken') } };
  await searchNow({ state, lastError } as SendDocument, deps as unknown as SendNowDeps);
  expect(changes).toEqual(isNow ? [{ nextAt: clock.date() }, 'woken'] : []);
});
