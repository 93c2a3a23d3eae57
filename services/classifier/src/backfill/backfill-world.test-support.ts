import { ApiError } from '@postroom/errors/api-error';
import { NobodyAnswered } from '@postroom/errors/unavailable';
import type { RecordBackfillRequest } from '@postroom/proto/postroom/v1/label_rule';
import type { RecordClassificationRequest } from '@postroom/proto/postroom/v1/mailbox_write';
import { manualClock } from '@postroom/runtime/clock';
import { silentLog } from '@postroom/runtime/log';
import { alwaysAvailable, inMemory } from '../classify/in-memory.test-support.ts';
import { CLASSIFY_LEASE_MS } from '../classify/lease.ts';
import type { RunnableBackfill } from './backfill-store.ts';
import { type BackfillPollDeps, createBackfillPoll } from './poll.ts';

export type BackfillWorld = ReturnType<typeof backfillWorld>;
export const open = () => new AbortController().signal;
/** Puts itself between a classifier and the calls of its stores. */
type Watch = <T extends object>(store: T) => T;
const unwatched: Watch = (store) => store;

/** Inboxes with backfills, and label-rule as far as it keeps these, with the same rules of what changes what. */
export function backfillWorld({ clock = manualClock() } = {}) {
  const jobs = new Map<string, RunnableBackfill>();
  const inboxes = new Map<string, { _id: string; date: Date }[]>();
  const world = {
    clock,
    /** Emails that the model was asked about, as often as it was. */
    asked: [] as string[],
    labelled: new Set<string>(),
    onJudge: async (_emailId: string): Promise<void> => undefined,
    /** Whether mailbox-write is there. */
    isRecording: true,
    job: (_id = 'bfj_1') => jobs.get(_id) as RunnableBackfill,
    add: (_id: string, workspaceId: string, count: number, limit = 200): string[] => {
      const now = clock.date();
      const emails = Array.from({ length: count }, (_, n) => ({ _id: `${_id} ${n}`, date: new Date(9_000_000 - n) }));
      inboxes.set(_id, emails);
      const job = { _id, workspaceId, mailboxId: _id, limit, done: 0, total: 0, afterDate: null, afterId: null };
      jobs.set(_id, { ...job, state: 'queued', cause: null, createdAt: now, updatedAt: now });
      return emails.map((email) => email._id);
    },
    deps: (watch: Watch = unwatched): BackfillPollDeps => ({
      clock,
      log: silentLog,
      classifyDeps: classifyDepsOf(world, watch),
      jobs: watch(storeOf(jobs)),
      mail: watch(mailOf(inboxes)),
      labelRule: watch(labelRuleOf(jobs)),
      mailboxWrite: {
        postponeClassification: async () => {
          if (!world.isRecording) throw new NobodyAnswered(new ApiError('QUERY_TIMEOUT'));
          return { isChanged: false };
        },
      },
      model: { availability: alwaysAvailable },
      pending: { due: async () => [], everyWorkspacesNext: async () => undefined },
      worker: { hasCapacity: () => true, blockedThreads: () => [] },
    }),
  };
  return world;
}

/** As long as its backfills are due. */
export async function work(world: BackfillWorld, watch: Watch = unwatched, passes = 4): Promise<void> {
  const poll = createBackfillPoll(world.deps(watch));
  for (let n = 0; n < passes; n += 1) {
    await poll.passOnce(open()).catch(() => undefined);
    await poll.idle();
  }
}

/** A classifier that lives on, once the leases of the dead are over. */
export async function recover(world: BackfillWorld, passes = 4): Promise<void> {
  for (let n = 0; n < passes; n += 1) {
    await world.clock.advance(CLASSIFY_LEASE_MS);
    await work(world);
  }
}

function classifyDepsOf(world: BackfillWorld, watch: Watch): BackfillPollDeps['classifyDeps'] {
  const { deps } = inMemory();
  return {
    ...deps,
    mail: { body: async (_workspaceId, emailId) => ({ html: null, text: emailId }) },
    model: {
      ...deps.model,
      judge: async (question, signal) => {
        world.asked.push(question.mail.text);
        await world.onJudge(question.mail.text);
        return deps.model.judge(question, signal);
      },
    },
    mailboxWrite: watch({
      ...deps.mailboxWrite,
      recordClassification: async ({ emailId = '' }: Partial<RecordClassificationRequest>) => {
        world.labelled.add(emailId);
        return { labelIds: [], othersKept: [] };
      },
    }),
  };
}

function storeOf(jobs: ReadonlyMap<string, RunnableBackfill>): BackfillPollDeps['jobs'] {
  const due = (now: Date) =>
    [...jobs.values()].filter(
      ({ state, notBefore }) => (state === 'queued' || state === 'running') && !(notBefore && notBefore > now),
    );
  return {
    find: async (_workspaceId, jobId) => structuredClone(jobs.get(jobId) ?? null),
    due: async (workspaceId, now) => structuredClone(due(now).find((one) => one.workspaceId === workspaceId) ?? null),
    everyWorkspacesNext: async (behind, now) =>
      due(now)
        .map(({ workspaceId }) => workspaceId)
        .filter((workspaceId) => workspaceId > behind)
        .toSorted()[0],
  };
}

function mailOf(inboxes: ReadonlyMap<string, { _id: string; date: Date }[]>): BackfillPollDeps['mail'] {
  const inboxOf = (mailboxId: string) => inboxes.get(mailboxId) ?? [];
  return {
    newest: async (_workspaceId, mailboxId, after, most) => {
      const inbox = inboxOf(mailboxId);
      const from = after ? inbox.findIndex(({ _id }) => _id === after._id) + 1 : 0;
      return inbox.slice(from, from + most);
    },
    find: async (_workspaceId, _id) => ({ ...inMemory().email, _id }),
    countInbox: async (_workspaceId, mailboxId, most) => Math.min(most, inboxOf(mailboxId).length),
  };
}

function labelRuleOf(jobs: ReadonlyMap<string, RunnableBackfill>): BackfillPollDeps['labelRule'] {
  return {
    recordBackfill: async (request) => {
      const { jobId, seen, notBefore, afterDate, afterId, cause, ...counts } = request as RecordBackfillRequest;
      const job = jobs.get(jobId);
      const isOpen = job?.state === 'queued' || job?.state === 'running';
      if (!job || !isOpen || job.done > counts.done || job.notBefore?.toISOString() !== seen) {
        return { isChanged: false };
      }
      const after = { afterDate: afterDate === undefined ? null : new Date(afterDate), afterId: afterId ?? null };
      Object.assign(job, { ...counts, ...after, cause: cause ?? null, notBefore: new Date(notBefore ?? 0) });
      return { isChanged: true };
    },
  };
}
