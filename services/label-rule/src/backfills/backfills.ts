import { bounds } from '@postroom/contract/bounds';
import { ApiError } from '@postroom/errors/api-error';
import { encodeEvent } from '@postroom/events/event';
import type { BackfillJobDocument, BackfillState } from '@postroom/mail-store/documents/backfill';
import { BACKFILL_KEPT_MS } from '@postroom/mail-store/kept-for';
import { firstOutbox } from '@postroom/mail-store/outbox';
import { toOutboxEntry } from '@postroom/mail-store/outbox-store';
import type { BackfillJob } from '@postroom/proto/postroom/v1/label_rule';
import type { Call } from '@postroom/rpc/call';
import { deterministicId } from '@postroom/runtime/deterministic-id';
import type { LabelRuleServiceDefinition } from '@postroom/proto/postroom/v1/label_rule';
import type { Handlers } from '@postroom/rpc/definition';
import type { ServiceContext } from '@postroom/runtime/service';
import type { Relay } from '@postroom/events/outbox/relay';
import type { AiRuleStore } from '../ai-rules/ai-rules.ts';
import type { LabelStore } from '../labels/labels.ts';
import type { BackfillStore } from './backfill-store.ts';

const LONGEST_CAUSE = 300;
const LONGEST_LIST = 1_000;

export interface BackfillDeps {
  context: Pick<ServiceContext, 'clock' | 'ids'>;
  aiRules: Pick<AiRuleStore, 'list'>;
  labels: Pick<LabelStore, 'list'>;
  backfills: BackfillStore;
  relay: Pick<Relay, 'publishSoon'>;
}

export function backfillHandlers(deps: BackfillDeps) {
  const { aiRules, labels, backfills, context } = deps;
  return {
    backfillAiLabels: async ({ limit = bounds.backfillEmails.usual, mailboxId }, call) => {
      const mailboxIds = await backfills.mailboxIds(call.workspaceId, mailboxId, call);
      if (mailboxId !== undefined && mailboxIds.length === 0) throw new ApiError('MAILBOX_NOT_FOUND');
      const [rules, living] = await Promise.all([
        aiRules.list(call.workspaceId, call),
        labels.list(call.workspaceId, call),
      ]);
      const labelIds = new Set(living.map(({ _id }) => _id));
      if (!rules.some(({ labelId }) => labelIds.has(labelId))) {
        throw new ApiError('VALIDATION_FAILED', { message: 'The workspace has no AI label rule; create one first.' });
      }
      for (const id of mailboxIds) await enqueue(deps, { mailboxId: id, limit }, call);
      return { jobs: mailboxIds.length, mailboxIds };
    },

    listBackfills: async ({ limit }, call) => {
      const most = Math.min(limit, LONGEST_LIST) || LONGEST_LIST;
      const jobs = await backfills.list(call.workspaceId, context.clock.date(), most, call);
      return { items: jobs.map(toMessageBackfillJob) };
    },

    recordBackfill: async ({ jobId, seen, afterDate, afterId, cause, notBefore, ...counts }, call) => {
      const now = context.clock.date();
      const progress = {
        ...counts,
        state: counts.state as BackfillState,
        afterDate: afterDate === undefined ? null : new Date(afterDate),
        afterId: afterId ?? null,
        cause: cause?.slice(0, LONGEST_CAUSE) ?? null,
        ...(notBefore !== undefined && { notBefore: new Date(notBefore) }),
        updatedAt: now,
        expiresAt: expiryOf(now),
      };
      const asSeen = seen === undefined ? undefined : new Date(seen);
      return { isChanged: await backfills.record(call.workspaceId, { jobId, seen: asSeen, progress }, call) };
    },
  } satisfies Partial<Handlers<LabelRuleServiceDefinition>>;
}

/**
 * Keeps at most one waiting job for a mailbox, because each job costs a model call for each email and delays other jobs.
 * The id of a job is derived from the job before it, so that simultaneous calls make the same job. A call that was not
 * first reads again after that job.
 */
async function enqueue(deps: BackfillDeps, { mailboxId, limit }: Asked, call: Call): Promise<void> {
  const { backfills, relay } = deps;
  const { workspaceId, operationId } = call;
  let before = await backfills.newest(workspaceId, mailboxId, call);
  while (before?.operationId !== operationId) {
    if (await backfills.joinQueued(workspaceId, { mailboxId, limit }, call)) return;
    const made = await backfills.insert(workspaceId, newJob({ mailboxId, limit }, before?._id, call, deps), call);
    relay.publishSoon([toOutboxEntry(made)]);
    before = made;
  }
}

interface Asked {
  mailboxId: string;
  limit: number;
}

function newJob(
  { mailboxId, limit }: Asked,
  before = '',
  { workspaceId, operationId }: Call,
  { context }: BackfillDeps,
) {
  const _id = deterministicId('bfj', workspaceId, mailboxId, before);
  const now = context.clock.date();
  const data = { jobId: _id, mailboxId, limit };
  const about = { id: context.ids('evt'), type: 'backfill.requested', workspaceId, occurredAt: now } as const;
  return {
    _id,
    mailboxId,
    operationId,
    limit,
    state: 'queued' as const,
    done: 0,
    total: 0,
    afterDate: null,
    afterId: null,
    cause: null,
    ...firstOutbox({ requested: encodeEvent({ ...about, data }) }, now),
    createdAt: now,
    updatedAt: now,
    expiresAt: expiryOf(now),
  };
}

const expiryOf = (now: Date): Date => new Date(now.getTime() + BACKFILL_KEPT_MS);

function toMessageBackfillJob(job: BackfillJobDocument): BackfillJob {
  return {
    id: job._id,
    mailboxId: job.mailboxId,
    state: job.state,
    done: job.done,
    total: job.total,
    cause: job.cause ?? undefined,
    createdAt: job.createdAt.toISOString(),
    updatedAt: job.updatedAt.toISOString(),
  };
}
