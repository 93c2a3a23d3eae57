import type { FolderType, ScheduledStatus } from '@postroom/contract/lists';
import { ApiError } from '@postroom/errors/api-error';
import { deterministicIdOf } from '@postroom/mail-store/create-once';
import { whyDraftStays } from '@postroom/mail-store/effect-state';
import type { LocationPart } from '@postroom/mail-store/documents/email';
import type { SendDocument } from '@postroom/mail-store/documents/send';
import type {
  DiscardDraftRequest,
  StoreOutgoingRequest,
  UpdateOutgoingRequest,
} from '@postroom/proto/postroom/v1/mailbox_write';
import type { Call } from '@postroom/rpc/call';
import { type ManualClock, manualClock } from '@postroom/runtime/clock';
import { silentLog } from '@postroom/runtime/log';
import { noTracing } from '@postroom/runtime/tracing';
import { type AtCall, watched } from './interleavings.ts';
import { recording, type RecordingDeps } from '../../services/outbound-send/src/recording/record-sent.ts';
import { memorySends } from '../../services/outbound-send/src/sending/memory-sends.test-support.ts';
import { beginSend, runSend } from '../../services/outbound-send/src/sending/run-send.ts';
import type { SendDeps } from '../../services/outbound-send/src/sending/send-deps.ts';
import { anySlot } from '../../services/outbound-send/src/sending/send-world.test-support.ts';
import { SEND_LEASE_MS } from '../../services/outbound-send/src/stored-sends/send-states.ts';
import type { WaitingSend } from '../../services/outbound-send/src/approvals/approval-store.ts';
import {
  type ApprovalDeps,
  approvalHandlers,
  approvalIdOf,
} from '../../services/outbound-send/src/approvals/approvals.ts';
import { operationOf } from '../../services/outbound-send/src/draft-sends/draft-operation.ts';
import { draftIsUnchanged } from '../../services/outbound-send/src/draft-sends/draft-sends.ts';
import { loadDraft } from '../../services/outbound-send/src/draft-sends/load-draft.ts';
import {
  personDraftHandlers,
  type PersonDraftDeps,
} from '../../services/outbound-send/src/draft-sends/person-drafts.ts';

const NOBODY = { mailboxIds: [], workspaceIds: [] };
const { signal } = new AbortController();
const call = { workspaceId: 'w', operationId: 'op', remainingMs: () => 5_000, signal } as unknown as Call;
const person = (email: string) => ({ email, name: null });

type World = Pick<ReturnType<typeof memorySends>, 'sends'> & ReturnType<typeof draftStores> & { clock: ManualClock };

function storedDraft(now: Date, isReply: boolean) {
  return {
    _id: 'eml_draft',
    mailboxId: 'm',
    isDraft: true,
    folderType: 'DRAFTS' as FolderType,
    date: now,
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
    place: undefined as LocationPart | undefined,
    bodyVersion: undefined as string | undefined,
  };
}

/** The drafts of mailbox-write, of which one is sent or edited. */
function draftStores(now: Date, isReply: boolean, hasTrash: boolean) {
  const draft = storedDraft(now, isReply);
  /** Of the draft, at each delivery. */
  const marks: (ScheduledStatus | null)[] = [];
  const kept: string[] = [];
  /** A draft with the Message-ID of another is the same operation, and is stored once. */
  const keptAs: string[] = [];
  const isThere = () => draft.isDraft && draft.folderType === 'DRAFTS';
  const mailboxWrite = {
    updateOutgoing: async (update: Partial<UpdateOutgoingRequest>) => {
      const scheduledStatus = (update.scheduledStatus ?? null) as ScheduledStatus | null;
      const isTheirs =
        draft.scheduledStatus === 'canceled' && scheduledStatus !== 'canceled' && scheduledStatus !== null;
      const isTooLate =
        (scheduledStatus === 'sending' && draft.folderType === 'TRASH') ||
        (scheduledStatus === 'canceled' && draft.scheduledStatus === 'sending' && update.epoch === undefined);
      if (!draft.isDraft || isTheirs || isTooLate) throw new ApiError('EMAIL_NOT_FOUND');
      draft.scheduledStatus = scheduledStatus;
    },
    storeOutgoing: async ({ folderType, draftId, raw }: StoreOutgoingRequest) => {
      if (folderType !== 'DRAFTS') {
        if (draftId !== undefined && draft.scheduledStatus !== 'canceled') draft.isDraft = false;
        return { id: 'eml_draft' };
      }
      const [messageId = ''] = /^Message-ID: .*$/im.exec(raw.toString('utf8')) ?? [];
      const known = keptAs.indexOf(messageId);
      if (known >= 0) return { id: `eml_new_${known + 1}` };
      keptAs.push(messageId);
      return { id: `eml_new_${kept.push(raw.toString('utf8'))}` };
    },
    discardDraft: async ({ seenDate }: Pick<DiscardDraftRequest, 'seenDate'>) => {
      if (!isThere()) throw new ApiError('DRAFT_NOT_FOUND');
      if (draft.scheduledStatus === 'sending' || draft.date.toISOString() !== seenDate) throw new ApiError('CONFLICT');
      if (!hasTrash) throw new ApiError('NO_TRASH_FOLDER');
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
  /** At the provider of the draft. */
  const mailboxSync = { fetchBody: async () => ({ text: 'As saved.' }) };
  const mailReader = {
    draft: async () => (isThere() ? { ...draft } : null),
    mailbox: async () => ({ _id: 'm', email: 'ann@acme.example', name: null, status: 'active', aliases: [] }),
    body: async () => ({ html: null, text: 'As it was.' }),
    shown: async () => ({ ...draft }),
  };
  return { draft, kept, marks, isThere, mailboxWrite, mailReader, mailboxSync };
}

const SEND_ID = deterministicIdOf('snd', operationOf('eml_draft', { workspaceId: 'w' }));
const APPROVAL_ID = approvalIdOf(SEND_ID, 'apr_1');

function waitingAt(now: Date): Partial<SendDocument> {
  const expiresAt = new Date(now.getTime() + 86_400_000);
  const shown = { to: ['bob@other.example'], cc: [], bcc: [], subject: 'Tuesday', html: null, text: 'As it was.' };
  const open = { decision: null, decidedBy: null, decidedAt: null };
  const agent = { kind: 'key', id: 'key_1', name: 'Agent', personId: null } as const;
  const approval = { id: APPROVAL_ID, shown, expiresAt, ...open };
  return { state: 'awaiting_approval', nextAt: expiresAt, agent, approval };
}

/** The approvals of the same sends. */
function approvalsOf({ sends }: Pick<World, 'sends'>) {
  return {
    find: async (workspaceId: string, id: string) => sends.find(workspaceId, id),
    decide: async (workspaceId: string, send: WaitingSend, change: Partial<SendDocument>) =>
      sends.advance(workspaceId, send, ['awaiting_approval'], change),
  };
}

/** The sender of a process; its messages are kept in `delivered`. */
function senderOf(
  { clock, isThere, mailReader, mailboxSync, draft, marks }: World,
  stored: Stored,
  at: AtCall,
  delivered: string[],
) {
  const context = { clock, log: silentLog, tracing: noTracing, ids: (prefix: string) => `${prefix}_1` };
  const recorded = { ...stored, context, mailReader, labelRule: {} } as unknown as RecordingDeps;
  const [found, fetching] = [watched(mailReader, at), watched(mailboxSync, at)];
  const isUnchanged = draftIsUnchanged({
    ...stored,
    context,
    mailReader: found,
    mailboxSync: fetching,
  } as unknown as PersonDraftDeps);
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
      marks.push(draft.scheduledStatus);
      return { outcome: 'accepted', response: '250', serverMessageId: null, refused: [] };
    },
    attach: async () => ({ reason: 'nothing to attach', isFinal: true }),
    // The mail server keeps a copy of an approved message.
    isFiled: async ({ kind }) => kind === 'approved' && delivered.length > 0,
    unmet: async (send) => {
      if (send.kind === 'approved') return (await isUnchanged(send)) ? null : 'changed';
      return at('unmet', async () => (isThere() ? null : 'thrown away')) as Promise<string | null>;
    },
    draftIsUnchanged: isUnchanged,
    slots: anySlot,
    count: () => undefined,
  } satisfies SendDeps;
  return { context, work };
}

type Stored = Pick<World, 'sends' | 'mailboxWrite'>;

/** The calls of one process; each of its store calls goes through `at`. */
function processOf(world: World, { role, delivered, seenDate }: Played, at: AtCall) {
  const { clock, sends, mailboxWrite, mailReader, mailboxSync } = world;
  const stored = { sends: watched(sends, at), mailboxWrite: watched(mailboxWrite, at) };
  const { context, work } = senderOf(world, stored, at, delivered);
  const permit = { leave: async () => undefined };
  const sender = {
    permitWithin: async () => permit,
    begin: (send: Parameters<typeof beginSend>[0]) => beginSend(send, work, 0),
    wake: () => undefined,
  };
  const agents = watched({ role: async () => role, stop: async () => null }, at);
  const approvals = watched(approvalsOf(world), at);
  const replies = { standing: async () => 'paid' };
  const [found, fetching] = [watched(mailReader, at), watched(mailboxSync, at)];
  const deps = {
    ...stored,
    mailReader: found,
    mailboxSync: fetching,
    agents,
    replies,
    sender,
    context,
    leaseMs: SEND_LEASE_MS,
  };
  const handlers = personDraftHandlers(deps as unknown as PersonDraftDeps);
  const { decideApproval } = approvalHandlers({ ...deps, approvals } as unknown as ApprovalDeps);
  const asked = { actorId: 'per_1', draftId: 'eml_draft', seenDate };
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
    edit: async (text = change.text) => handlers.replaceDraft({ ...asked, ...change, text }, call),
    approve: async () => decideApproval({ actorId: 'per_1', approvalId: APPROVAL_ID, approve: true }, call),
    // The pages ask these of mailbox-write.
    discard: async () => stored.mailboxWrite.discardDraft(asked),
    undo: async () => stored.mailboxWrite.undoEffect(),
  };
}

interface Played {
  role: string;
  delivered: string[];
  seenDate: string;
}

/** A reply that is due, its draft, and processes that work on both; each of their calls goes through `at`. */
export async function draftWorld({ isReply = true, role = 'admin', hasTrash = true } = {}) {
  const clock = manualClock();
  const seenDate = clock.date().toISOString();
  const { sends, make, all } = memorySends();
  const stores = draftStores(clock.date(), isReply, hasTrash);
  const { draft, kept, marks } = stores;
  const delivered: string[] = [];
  if (isReply) {
    const reply = { draftId: 'eml_draft', to: ['bob@other.example'], scheduledSendAt: clock.date() };
    await sends.insert('w', { ...make('reply', clock.date(), clock.date()), ...reply });
  }

  const world = { clock, sends, ...stores };
  const process = (at: AtCall) => processOf(world, { role, delivered, seenDate }, at);
  const calm = process((_, go) => go());
  /** Finishes what other processes left. */
  const workAllOff = async () => {
    for (let attempt = 0; attempt < 6; attempt += 1) {
      clock.set(clock.now() + SEND_LEASE_MS);
      await calm.timer();
    }
  };
  const insertApproved = async (fields: Partial<SendDocument>) => {
    const operation = operationOf('eml_draft', { workspaceId: 'w' });
    const deps = { sends, ...stores, context: { clock } } as unknown as PersonDraftDeps;
    const { fingerprint } = await loadDraft('eml_draft', operation, call, deps);
    const _id = deterministicIdOf('snd', operation);
    const approved = { ...make('approved', clock.date(), clock.date()), _id, fingerprint, draftId: 'eml_draft' };
    await sends.insert('w', { ...approved, ...fields });
  };
  /** A person has approved that an agent sends the draft. */
  const approve = () => insertApproved({});
  /** An agent asks to send the draft. */
  const ask = () => insertApproved(waitingAt(clock.date()));
  return { process, calm, clock, draft, delivered, marks, kept, all, workAllOff, approve, ask };
}

/** `done`, or the code of the refusal. */
export const endOf = (run: Promise<unknown>): Promise<string> =>
  run.then(
    () => 'done',
    (error: unknown) => (error instanceof ApiError ? error.code : String(error)),
  );
