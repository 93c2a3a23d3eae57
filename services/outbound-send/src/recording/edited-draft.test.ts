import { expect, it } from '@jest/globals';
import { ApiError } from '@postroom/errors/api-error';
import type { UpdateOutgoingRequest } from '@postroom/proto/postroom/v1/mailbox_write';
import { manualClock } from '@postroom/runtime/clock';
import { silentLog } from '@postroom/runtime/log';
import { noTracing } from '@postroom/runtime/tracing';
import { type AtCall, ordersOfTwo, interleave, watched } from '../../../../test/support/interleavings.ts';
import type { Deps } from '../deps.ts';
import { recording } from './record-sent.ts';
import { memorySends } from '../sending/memory-sends.test-support.ts';
import { runSend } from '../sending/run-send.ts';
import type { SendDeps } from '../sending/send-deps.ts';
import { anySlot } from '../sending/send-world.test-support.ts';
import { SEND_LEASE_MS } from '../stored-sends/send-states.ts';

const NOBODY = { mailboxIds: [], workspaceIds: [] };

/** A reply that is due, its draft, and processes that work on both, each call of which goes through `at`. */
async function world() {
  const clock = manualClock();
  const { sends, make, only } = memorySends();
  const draft = { status: 'pending', isDraft: true, isEdited: false };
  const delivered: string[] = [];
  const mailboxWrite = {
    updateOutgoing: async ({ scheduledStatus = '' }: UpdateOutgoingRequest) => {
      const isTheirs = draft.isEdited && scheduledStatus !== 'canceled';
      if (!draft.isDraft || isTheirs) throw new ApiError('EMAIL_NOT_FOUND');
      draft.status = scheduledStatus;
    },
    storeOutgoing: async () => {
      Object.assign(draft, { isDraft: false, status: 'sent' });
      return { id: 'eml_draft' };
    },
  };
  const replies = make('reply', clock.date(), clock.date());
  await sends.insert('w', { ...replies, draftId: 'eml_draft', to: ['bob@other.example'] });

  const process = (at: AtCall) => {
    const watchedSends = watched(sends, at);
    const stored = { sends: watchedSends, mailboxWrite: watched(mailboxWrite, at) };
    const context = { clock, log: silentLog, tracing: noTracing };
    const shared = { ...stored, context, leaseMs: SEND_LEASE_MS, mailReader: {}, labelRule: {} } as unknown as Deps;
    const work = {
      ...recording(shared),
      sends: watchedSends,
      context,
      serverOf: async () => ({ host: '', port: 0, isSecure: false, isPlain: true }),
      served: () => undefined,
      deliver: async (_server, { to }, steps) => {
        await steps.dataStarted([]);
        await steps.dataEnding();
        delivered.push(...to);
        return { outcome: 'accepted', response: '250', serverMessageId: null, refused: [] };
      },
      attach: async () => ({ reason: 'nothing to attach', isFinal: true }),
      draftIsUnchanged: async () => true,
      isFiled: async () => false,
      unmet: async () => at('unmet', async () => (draft.isEdited ? 'edited' : null)) as Promise<string | null>,
      slots: anySlot,
      count: () => undefined,
    } satisfies SendDeps;
    return {
      workOff: async () => {
        const due = await watchedSends.claimDue(clock.date(), new Date(clock.now() + SEND_LEASE_MS), NOBODY);
        // A process that has lost the send stops with an error.
        if (due) await runSend(due, work).catch(() => undefined);
      },
    };
  };
  const calm = process((_, go) => go());
  /** Finishes the sends that other processes left. */
  const workAllOff = async () => {
    for (let attempt = 0; attempt < 10; attempt += 1) {
      clock.set(clock.now() + SEND_LEASE_MS);
      await calm.workOff();
    }
  };
  const end = () => [only().state, draft.status, draft.isDraft, delivered.length];
  return { process, draft, sends, clock, workAllOff, end };
}

const CANCELED = ['canceled', 'canceled', true, 0];

it('a draft that somebody edits before its reply is on its way is not sent, whenever that is', async () => {
  const play = async (schedule: (call: number) => number) => {
    const { process, draft, workAllOff, end } = await world();
    const edit = async (at: AtCall) =>
      at('edit', async () => {
        if (draft.isDraft) Object.assign(draft, { isEdited: true, status: 'canceled' });
      });
    let shownAtEdit = '';
    const calls = await interleave(
      [
        async (at: AtCall) =>
          edit((name, go) =>
            at(name, async () => {
              shownAtEdit = draft.status;
              return go();
            }),
          ),
        async (at: AtCall) => process(at).workOff(),
      ],
      schedule,
    );
    await workAllOff();
    return { calls, shownAtEdit, end: end() };
  };
  const { calls } = await play((n) => n % 2);
  for (const schedule of ordersOfTwo(calls)) {
    const { shownAtEdit, end } = await play(schedule);
    if (shownAtEdit === 'pending') expect(end).toEqual(CANCELED);
  }
});
