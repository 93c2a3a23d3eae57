import { describe, expect, it } from '@jest/globals';
import type { FolderType, ScheduledStatus } from '@postroom/contract/lists';
import { ApiError } from '@postroom/errors/api-error';
import { whyDraftStays } from '@postroom/mail-store/effect-state';
import type {
  DiscardDraftRequest,
  StoreOutgoingRequest,
  UpdateOutgoingRequest,
} from '@postroom/proto/postroom/v1/mailbox_write';
import type { Call } from '@postroom/rpc/call';
import { manualClock } from '@postroom/runtime/clock';
import { silentLog } from '@postroom/runtime/log';
import { noTracing } from '@postroom/runtime/tracing';
import { type AtCall, dying, interleave, ordersOfTwo, watched } from '../../../../test/support/interleavings.ts';
import { recording, type RecordingDeps } from '../recording/record-sent.ts';
import { memorySends } from '../sending/memory-sends.test-support.ts';
import { beginSend, runSend } from '../sending/run-send.ts';
import type { SendDeps } from '../sending/send-deps.ts';
import { anySlot } from '../sending/send-world.test-support.ts';
import { SEND_LEASE_MS } from '../stored-sends/send-states.ts';
import { personDraftHandlers, type PersonDraftDeps } from './person-drafts.ts';

const NOBODY = { mailboxIds: [], workspaceIds: [] };
const call = { workspaceId: 'w', operationId: 'op', remainingMs: () => 5_000 } as unknown as Call;
const person = (email: string) => ({ email, name: null });

/** A reply that is due, its draft, and processes that work on both; each of their calls goes through `at`. */
async function world({ isReply = true, role = 'admin' } = {}) {
  const clock = manualClock();
  const openedAt = clock.date();
  const { sends, make, all } = memorySends();
  const draft = {
    _id: 'eml_draft',
    mailboxId: 'm',
    isDraft: true,
    folderType: 'DRAFTS' as FolderType,
    date: clock.date(),
    from: person('ann@acme.example'),
    to: [person('bob@other.example')],
    cc: [],
    bcc: [],
    subject: 'Tuesday',
    messageId: '<draft@acme.example>',
    inReplyTo: null,
    references: [],
    threadId: null,
    hasAttachments: false,
    scheduledStatus: (isReply ? 'pending' : null) as ScheduledStatus | null,
    operation: isReply ? 'snd_1' : undefined,
  };
  const delivered: string[] = [];
  const kept: string[] = [];
  const isThere = () => draft.isDraft && draft.folderType === 'DRAFTS';
  const mailboxWrite = {
    updateOutgoing: async (update: Partial<UpdateOutgoingRequest>) => {
      const scheduledStatus = (update.scheduledStatus ?? null) as ScheduledStatus | null;
      const isTheirs =
        draft.scheduledStatus === 'canceled' && scheduledStatus !== 'canceled' && scheduledStatus !== null;
      const isTooLate = scheduledStatus === 'sending' && draft.folderType === 'TRASH';
      if (!draft.isDraft || isTheirs || isTooLate) throw new ApiError('EMAIL_NOT_FOUND');
      draft.scheduledStatus = scheduledStatus;
    },
    storeOutgoing: async ({ folderType, draftId, raw }: StoreOutgoingRequest) => {
      if (folderType === 'DRAFTS') kept.push(raw.toString('utf8'));
      else if (draftId !== undefined && draft.scheduledStatus !== 'canceled') draft.isDraft = false;
      return { id: folderType === 'DRAFTS' ? `eml_new_${kept.length}` : 'eml_draft' };
    },
    discardDraft: async ({ seenDate }: Pick<DiscardDraftRequest, 'seenDate'>) => {
      if (!isThere()) throw new ApiError('DRAFT_NOT_FOUND');
      if (draft.scheduledStatus === 'sending' || draft.date.toISOString() !== seenDate) throw new ApiError('CONFLICT');
      draft.folderType = 'TRASH';
      if (draft.scheduledStatus !== null) draft.scheduledStatus = 'canceled';
      return {};
    },
    undoEffect: async () => {
      if (whyDraftStays(draft) !== null) throw new ApiError('CONFLICT');
      Object.assign(draft, { folderType: 'TRASH', scheduledStatus: 'canceled' });
      return {};
    },
  };
  const directory = {
    draft: async () => (isThere() ? { ...draft } : null),
    mailbox: async () => ({ _id: 'm', email: 'ann@acme.example', name: null, status: 'active', aliases: [] }),
    body: async () => ({ html: null, text: 'As it was.' }),
  };
  if (isReply) {
    const reply = { draftId: 'eml_draft', to: ['bob@other.example'], scheduledSendAt: clock.date() };
    await sends.insert('w', { ...make('reply', clock.date(), clock.date()), ...reply });
  }

  const process = (at: AtCall) => {
    const stored = { sends: watched(sends, at), mailboxWrite: watched(mailboxWrite, at) };
    const context = { clock, log: silentLog, tracing: noTracing, ids: (prefix: string) => `${prefix}_1` };
    const recorded = { ...stored, context, directory, labelRule: {} } as unknown as RecordingDeps;
    const work = {
      ...recording(recorded),
      sends: stored.sends,
      context,
      serverOf: async () => ({ host: '', port: 0, isSecure: false, isPlain: true }),
      served: () => undefined,
      deliver: async (_server, { bytes }, steps) => {
        await steps.dataStarted([]);
        await steps.dataEnding();
        delivered.push(bytes.toString('utf8'));
        return { outcome: 'accepted', response: '250', serverMessageId: null, refused: [] };
      },
      attach: async () => ({ reason: 'nothing to attach', isFinal: true }),
      isFiled: async () => false,
      unmet: async () => at('unmet', async () => (isThere() ? null : 'thrown away')) as Promise<string | null>,
      slots: anySlot,
      count: () => undefined,
    } satisfies SendDeps;
    const permit = { leave: async () => undefined };
    const sender = {
      permitWithin: async () => permit,
      begin: (send: Parameters<typeof beginSend>[0]) => beginSend(send, work, 0),
      wake: () => undefined,
    };
    const agents = { role: async () => role };
    const replies = { standing: async () => 'paid' };
    const found = watched(directory, at);
    const deps = { ...stored, directory: found, agents, replies, sender, context, leaseMs: SEND_LEASE_MS };
    const handlers = personDraftHandlers(deps as unknown as PersonDraftDeps);
    const asked = { actorId: 'per_1', draftId: 'eml_draft', seenDate: openedAt.toISOString() };
    const change = { to: ['bob@other.example'], cc: [], bcc: [], subject: 'Tuesday', text: 'As edited.' };
    return {
      timer: async () => {
        const due = await stored.sends.claimDue(clock.date(), new Date(clock.now() + SEND_LEASE_MS), NOBODY);
        // A process that has lost the send stops with an error.
        if (due) await runSend(due, work).catch(() => undefined);
        return 'done';
      },
      cancel: async () => handlers.stopReply(asked, call),
      send: async () => handlers.sendOwnDraft(asked, call),
      edit: async () => handlers.replaceDraft({ ...asked, ...change }, call),
      // The pages ask these of mailbox-write.
      discard: async () => stored.mailboxWrite.discardDraft(asked),
      undo: async () => stored.mailboxWrite.undoEffect(),
    };
  };
  const calm = process((_, go) => go());
  /** Finishes what other processes left. */
  const workAllOff = async () => {
    for (let attempt = 0; attempt < 6; attempt += 1) {
      clock.set(clock.now() + SEND_LEASE_MS);
      await calm.timer();
    }
  };
  return { process, calm, draft, delivered, kept, all, workAllOff };
}

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

/** `done`, or the code of the refusal. */
const endOf = (run: Promise<unknown>): Promise<string> =>
  run.then(
    () => 'done',
    (error: unknown) => (error instanceof ApiError ? error.code : String(error)),
  );

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
      if (isDone('send')) expect([told, delivered.length]).toEqual([told, 1]);
      if (isDone('edit')) expect([told, delivered.length, kept.length > 0]).toEqual([told, 0, true]);
      if (isDone('cancel') && !isDone('send')) expect([told, delivered.length]).toEqual([told, 0]);
      if (isDone('discard') || isDone('undo')) expect([told, delivered.length]).toEqual([told, 0]);
      expect([told, draft.scheduledStatus === 'sending' && draft.isDraft]).toEqual([told, false]);
      for (const end of ends)
        expect(['done', 'CONFLICT', 'DRAFT_NOT_FOUND', 'OUTBOUND_SEND_NOT_ALLOWED']).toContain(end);
    }
  });
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
