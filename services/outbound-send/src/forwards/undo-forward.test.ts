import { expect, it } from '@jest/globals';
import { ApiError } from '@postroom/errors/api-error';
import type { SendState } from '@postroom/mail-store/documents/send';
import type { Call } from '@postroom/rpc/call';
import { manualClock } from '@postroom/runtime/clock';
import { type AtCall, dying, interleave, ordersOfTwo, watched } from '../../../../test/support/interleavings.ts';
import { memorySends } from '../sending/memory-sends.test-support.ts';
import { undoForwardHandlers } from './undo-forward.ts';

const LEASE_MS = 60_000;
const NOBODY = { mailboxIds: [], workspaceIds: [] };
const call = { workspaceId: 'w', signal: new AbortController().signal } as Call;
const asked = { actorId: 'per_1', emailId: 'eml_1', effectId: 'snd_1' };
const calm: AtCall = (_, go) => go();

/** A forward that is due, and those who work on it. */
async function world(state: SendState = 'scheduled') {
  const clock = manualClock();
  const { sends, make, only } = memorySends();
  await sends.insert('w', { ...make('forward', clock.date(), clock.date()), sourceEmailId: 'eml_1', state });
  const undo = (at: AtCall = calm, request = asked) =>
    undoForwardHandlers({ sends: watched(sends, at), sender: { wake: () => undefined }, context: { clock } })
      .undoForward(request, call)
      .then(
        () => 'done',
        (error: unknown) => (error instanceof ApiError ? error.message : String(error)),
      );
  /** Whether a worker has handed the message to its server. */
  const leave = async (at: AtCall) => {
    const watching = watched(sends, at);
    const send = await watching.claimDue(clock.date(), new Date(clock.now() + LEASE_MS), NOBODY);
    if (send?.state !== 'scheduled') return false;
    return watching.advance('w', send, ['scheduled'], { state: 'data_ending' });
  };
  return { undo, leave, only };
}

it('a forward that waits is stopped, and says who did it; a repeat changes nothing', async () => {
  const { undo, only } = await world();
  expect([await undo(), await undo()]).toEqual(['done', 'done']);
  expect(only()).toMatchObject({ state: 'canceled', wire: null, undone: { effectId: 'snd_1', by: 'per_1' } });
});

it.each([
  ['connecting', 'The message is leaving now, and cannot be undone.'],
  ['unknown', 'The message is leaving now, and cannot be undone.'],
  ['recorded', 'A message that was sent cannot be undone.'],
  ['failed', 'It did not leave, so there is nothing to undo.'],
] as const)('409 CONFLICT when it is %s', async (state, words) => {
  const { undo, only } = await world(state);
  expect([await undo(), only().state]).toEqual([words, state]);
});

it('the forwards of a rule that wait are listed for a period, and those that left are not', async () => {
  const { sends, make } = memorySends();
  const clock = manualClock();
  const at = (minute: number) => new Date(minute * 60_000);
  const forward = (id: string, minute: number, parts: object = {}) =>
    sends.insert('w', {
      ...make('forward', at(minute), at(minute)),
      _id: id,
      sourceEmailId: `eml_${id}`,
      ruleId: 'afr_1',
      createdAt: at(minute),
      ...parts,
    });
  await Promise.all([
    forward('before', 1),
    forward('first', 2),
    forward('left', 3, { state: 'recorded' }),
    forward('other', 3, { ruleId: 'afr_2' }),
    forward('last', 4),
  ]);
  const { listWaitingForwards } = undoForwardHandlers({ sends, sender: { wake: () => undefined }, context: { clock } });
  const list = async (limit: number) => {
    const period = { since: at(2).toISOString(), until: at(4).toISOString() };
    return (await listWaitingForwards({ ruleId: 'afr_1', ...period, limit }, call)).items;
  };
  expect(await list(1)).toEqual([{ effectId: 'last', emailId: 'eml_last', createdAt: at(4).toISOString() }]);
  expect((await list(9)).map(({ effectId }) => effectId)).toEqual(['last', 'first']);
});

it('404 NOT_FOUND for the forward of another email', async () => {
  const { undo, only } = await world();
  expect(await undo(calm, { ...asked, emailId: 'eml_2' })).toBe('This email has no such effect of a rule.');
  expect(only().state).toBe('scheduled');
});

it('an undo that dies at any of its calls leaves the forward as before or stopped, and a repeat finishes it', async () => {
  const found = [];
  for (const when of ['before', 'after'] as const) {
    for (let deadly = 1; deadly <= 2; deadly += 1) {
      const { undo, only } = await world();
      await undo(dying(deadly, when).at);
      found.push([only().state, only().undone ? 'undone' : 'not undone']);
      expect([await undo(), only().state]).toEqual(['done', 'canceled']);
    }
  }
  const before = ['scheduled', 'not undone'];
  expect(found).toEqual([before, before, before, ['canceled', 'undone']]);
});

it('beside a worker that takes it up, in every order it is stopped or leaves, and the answer says which', async () => {
  const play = async (schedule: (n: number) => number) => {
    const { undo, leave, only } = await world();
    let told = '';
    let isGone = false;
    const calls = await interleave(
      [async (at) => void (told = await undo(at)), async (at) => void (isGone = await leave(at))],
      schedule,
    );
    return { calls, told, isGone, state: only().state };
  };
  const { calls } = await play((n) => n % 2);
  for (const schedule of ordersOfTwo(calls)) {
    const { told, isGone, state } = await play(schedule);
    expect([told === 'done', state]).toEqual([!isGone, isGone ? 'data_ending' : 'canceled']);
  }
});
