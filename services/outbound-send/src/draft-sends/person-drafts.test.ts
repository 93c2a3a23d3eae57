import { describe, expect, it } from '@jest/globals';
import { type AtCall, dying, interleave, ordersOfTwo } from '../../../../test/support/interleavings.ts';
import { draftWorld as world, endOf } from '../../../../test/support/draft-work.ts';
import { SEND_LEASE_MS } from '../stored-sends/send-states.ts';

/** Of the orders; all of them with POSTROOM_FULL=1. */
const EVERY = process.env['POSTROOM_FULL'] === '1' ? 1 : 5;

type Act = 'timer' | 'cancel' | 'send' | 'edit' | 'discard' | 'undo';
const PAIRS: readonly (readonly [Act, Act])[] = [
  ['timer', 'cancel'],
  ['timer', 'send'],
  ['timer', 'edit'],
  ['send', 'send'],
  ['send', 'edit'],
  ['send', 'cancel'],
  ['edit', 'edit'],
  ['edit', 'cancel'],
  ['timer', 'discard'],
  ['timer', 'undo'],
  ['send', 'discard'],
  ['send', 'undo'],
  ['edit', 'discard'],
  ['edit', 'undo'],
];

it.each(['timer', 'cancel', 'send', 'edit', 'discard', 'undo'] as const)(
  'a reply that waits: %s alone is done',
  async (act) => {
    const { calm, delivered } = await world();
    expect([await endOf(calm[act]()), delivered.length]).toEqual(['done', act === 'timer' || act === 'send' ? 1 : 0]);
  },
);

describe.each([true, false])('a draft on which two work at once (a reply that is due: %s)', (isReply) => {
  it.each(PAIRS)('leaves once at most, and who is told that it was done is right: %s and %s', async (...acts) => {
    const play = async (schedule: (n: number) => number) => {
      const here = await world({ isReply });
      const ends: string[] = [];
      const calls = await interleave(
        acts.map((act, n) => async (at: AtCall) => {
          ends[n] = await endOf(here.process(at)[act]());
        }),
        schedule,
      );
      await here.workAllOff();
      return { ...here, calls, ends };
    };
    const { calls } = await play((n) => n % 2);
    for (const [n, schedule] of [...ordersOfTwo(calls)].entries()) {
      if (n % EVERY !== 0) continue;
      const { ends, delivered, kept, draft } = await play(schedule);
      const isDone = (act: Act) => acts.some((one, n) => one === act && ends[n] === 'done');
      const told = JSON.stringify({
        ends,
        delivered: delivered.length,
        kept: kept.length,
        draft: draft.scheduledStatus,
      });
      expect([told, delivered.length <= 1]).toEqual([told, true]);
      if (isDone('send')) expect([told, delivered.length, draft.isDraft]).toEqual([told, 1, false]);
      if (isDone('edit')) expect([told, delivered.length, kept.length > 0]).toEqual([told, 0, true]);
      if (isDone('cancel') && !isDone('send')) expect([told, delivered.length]).toEqual([told, 0]);
      if (isDone('discard') || isDone('undo')) expect([told, delivered.length]).toEqual([told, 0]);
      expect([told, draft.scheduledStatus === 'sending' && draft.isDraft]).toEqual([told, false]);
      for (const end of ends)
        expect(['done', 'CONFLICT', 'DRAFT_NOT_FOUND', 'OUTBOUND_SEND_NOT_ALLOWED']).toContain(end);
    }
  });
});

it('a reply that two calls cancel at once is canceled, and both are told so', async () => {
  const play = async (schedule: (n: number) => number) => {
    const here = await world();
    const ends: string[] = [];
    const calls = await interleave(
      [0, 1].map((n) => async (at: AtCall) => {
        ends[n] = await endOf(here.process(at).cancel());
      }),
      schedule,
    );
    await here.workAllOff();
    return { ...here, calls, ends };
  };
  const { calls } = await play((n) => n % 2);
  for (const [n, schedule] of [...ordersOfTwo(calls)].entries()) {
    if (n % EVERY !== 0) continue;
    const { ends, delivered, draft } = await play(schedule);
    expect([n, ends, delivered.length, draft.scheduledStatus]).toEqual([n, ['done', 'done'], 0, 'canceled']);
  }
});

it('a reply whose cancel ended before its draft said so is shown as canceled, and does not leave', async () => {
  for (const when of ['before', 'after'] as const) {
    for (let deadly = 1; deadly <= 5; deadly += 1) {
      const { process, all, draft, delivered, workAllOff } = await world();
      await endOf(process(dying(deadly, when).at).cancel());
      const isCanceled = all.get('snd_1')?.state === 'canceled';
      await workAllOff();
      expect([deadly, when, delivered.length]).toEqual([deadly, when, isCanceled ? 0 : 1]);
      if (isCanceled) expect([deadly, when, draft.scheduledStatus]).toEqual([deadly, when, 'canceled']);
    }
  }
});

it('a draft whose send was interrupted can be thrown away again, unless the mail server may have the message', async () => {
  for (const when of ['before', 'after'] as const) {
    for (let deadly = 1; deadly <= 16; deadly += 1) {
      const { process, calm, all, delivered, workAllOff } = await world({ isReply: false });
      await endOf(process(dying(deadly, when).at).send());
      await workAllOff();
      const state = [...all.values()].find(({ kind }) => kind === 'send')?.state;
      const ends = state === 'recorded' ? 'DRAFT_NOT_FOUND' : state === 'unknown' ? 'CONFLICT' : 'done';
      const told = [deadly, when, state, delivered.length];
      expect([...told, await endOf(calm.discard())]).toEqual([...told, ends]);
      if (ends === 'done') expect([...told, delivered.length]).toEqual([...told, 0]);
    }
  }
});

it('a draft whose send was interrupted can be thrown away when the process that ends the send dies too', async () => {
  for (const when of ['before', 'after'] as const) {
    for (let deadly = 1; deadly <= 4; deadly += 1) {
      const { process, calm, clock, draft, all, workAllOff } = await world({ isReply: false });
      const dyingOnceMarked: AtCall = async (name, go) => {
        const answer = await go();
        if (name === 'updateOutgoing') throw new Error('killed');
        return answer;
      };
      await endOf(process(dyingOnceMarked).send());
      expect(draft.scheduledStatus).toBe('sending');
      clock.set(clock.now() + SEND_LEASE_MS);
      await endOf(process(dying(deadly, when).at).timer());
      await workAllOff();
      const told = [deadly, when, [...all.values()].map(({ state }) => state), draft.scheduledStatus];
      expect([...told, await endOf(calm.discard())]).toEqual([deadly, when, ['failed'], null, 'done']);
    }
  }
});

it('403 ROLE_NOT_ALLOWED when a member sends or edits; members cancel', async () => {
  const { calm, delivered, draft } = await world({ role: 'member' });
  expect(await endOf(calm.send())).toBe('ROLE_NOT_ALLOWED');
  expect(await endOf(calm.edit())).toBe('ROLE_NOT_ALLOWED');
  expect(await endOf(calm.cancel())).toBe('done');
  expect([draft.scheduledStatus, delivered]).toEqual(['canceled', []]);
});

it('409 CONFLICT when the draft has changed since the person read it', async () => {
  const { calm, draft, delivered } = await world({ isReply: false });
  draft.date = new Date(draft.date.getTime() + 1_000);
  expect([await endOf(calm.send()), await endOf(calm.edit())]).toEqual(['CONFLICT', 'CONFLICT']);
  expect(delivered).toEqual([]);
});

it('an edited draft keeps its conversation and sender, and has the new text alone', async () => {
  const { calm, kept, draft } = await world();
  Object.assign(draft, { inReplyTo: '<0@other.example>', references: ['<0@other.example>'] });
  await calm.edit();
  expect(kept).toHaveLength(1);
  for (const part of ['From: ann@acme.example', 'In-Reply-To: <0@other.example>', 'As edited.'])
    expect(kept[0]).toContain(part);
  expect(kept[0]).not.toMatch(/As it was|Auto-Submitted|X-Postroom/);
  expect(draft.folderType).toBe('TRASH');
});
