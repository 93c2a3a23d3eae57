import type { DeliveryDocument, WebhookDocument } from '@postroom/mail-store/documents/webhook';
import { createFairLimit, type FairLimit } from '@postroom/runtime/fair-limit';
import type { ServiceContext } from '@postroom/runtime/service';
import type { Attempted, createAttempt } from './attempt.ts';
import type { EndpointHealth } from './health.ts';
import type { ProgressStore } from './progress-store.ts';
import { afterAttempt, type RetryPlan } from './schedule.ts';

export interface DeliverDeps {
  context: Pick<ServiceContext, 'clock' | 'log'>;
  progress: ProgressStore;
  attempt: ReturnType<typeof createAttempt>;
  health: Pick<EndpointHealth, 'takes'>;
  plan: RetryPlan;
  isMine(workspaceId: string): boolean;
  /** Something is due at an endpoint at this time. */
  onDue(webhookId: string, at: Date): void;
}

type AttemptKind = 'first' | 'retry' | 'replay';

/** The most attempts at one endpoint at once. */
const WIDTH = 8;

/** The endpoint takes no more deliveries of this kind, or another process delivers to it. */
export class Stopped extends Error {}

type RaiseDue = (workspaceId: string, webhookId: string, at: Date) => Promise<void>;

/** Records an attempt, in an order in which a crash at any point loses nothing. */
function createRecord(deps: DeliverDeps, raiseDue: RaiseDue) {
  const { progress, plan } = deps;
  /** Endpoints with a failure that this process recorded, and no success since. */
  const failing = new Set<string>();

  const record = async (webhook: WebhookDocument, delivery: DeliveryDocument, done: Attempted, kind: AttemptKind) => {
    const { _id: webhookId, workspaceId } = webhook;
    const { isDelivered, ...made } = done;
    const isFailure = !isDelivered && kind !== 'replay';
    // Noted before anything is awaited, so that attempts count in the order of their answers. The webhook was read before
    // the attempt, and another attempt may have failed since.
    const endsFailures = isDelivered && (failing.delete(webhookId) || webhook.failingSince !== null);
    if (isFailure) failing.add(webhookId);
    const next = afterAttempt(delivery, made, { isDelivered, isReplay: kind === 'replay' }, plan);
    const isNew =
      kind === 'first' &&
      (await progress.insert(workspaceId, { ...delivery, ...next, createdAt: made.at, attempts: [made] }));
    if (!isNew) await progress.recordAttempt(workspaceId, delivery._id, made, next, kind === 'replay');
    if (next.nextAttemptAt) await raiseDue(workspaceId, webhookId, next.nextAttemptAt);
    if (endsFailures) await progress.recordSuccess(workspaceId, webhookId);
    if (!isFailure) return;
    await countFailure(webhook, made.at, deps);
    // An attempt succeeded while the failure was written.
    if (!failing.has(webhookId)) await progress.recordSuccess(workspaceId, webhookId);
  };
  return { record, forget: (webhookId: string): void => void failing.delete(webhookId) };
}

/** Makes attempts and records them. */
export function createDeliver(deps: DeliverDeps) {
  const { progress, attempt, health, isMine, onDue } = deps;
  const gates = createGates();
  const raiseDue: RaiseDue = async (workspaceId, webhookId, at) => {
    await progress.raiseDue(workspaceId, webhookId, at);
    onDue(webhookId, at);
  };
  const { record, forget } = createRecord(deps, raiseDue);

  return {
    raiseDue,

    forget: (webhookId: string): void => {
      gates.forget(webhookId);
      forget(webhookId);
    },

    /** Throws `Stopped` where the endpoint, read anew, takes none any more. Calls for one endpoint begin in their order. */
    async one(
      known: WebhookDocument,
      delivery: DeliveryDocument,
      kind: AttemptKind,
      signal: AbortSignal,
    ): Promise<void> {
      const { workspaceId, _id: webhookId } = known;
      // Of an endpoint that is not known to take deliveries, or that catches up, one attempt after the other is made.
      const isWide = health.takes(webhookId) && (kind !== 'first' || delivery.seq > known.orderedUntil);
      const task = async (): Promise<void> => {
        // The secret, the URL, the status or the process that delivers may have changed during the waits.
        const webhook = await progress.find(workspaceId, webhookId);
        const takes = webhook && (kind === 'replay' || webhook.status === 'enabled');
        // One that was enabled again since gets first what waits for it.
        const isReordered = kind === 'first' && webhook?.orderedUntil !== known.orderedUntil;
        if (!takes || isReordered || !isMine(workspaceId) || signal.aborted) throw new Stopped();
        await record(webhook, delivery, await attempt.send(webhook, delivery), kind);
      };
      const permitted = () => attempt.withPermit(known, task, signal);
      await gates.of(webhookId).run(kind, permitted, { weight: isWide ? 1 : WIDTH, signal });
    },
  };
}

/** The attempts at one endpoint share a limit; new changes, retries and replays take it in rotation. */
function createGates() {
  const gates = new Map<string, FairLimit>();
  return {
    forget: (webhookId: string): void => void gates.delete(webhookId),
    of: (webhookId: string): FairLimit => {
      const gate = gates.get(webhookId) ?? createFairLimit({ total: WIDTH });
      gates.set(webhookId, gate);
      return gate;
    },
  };
}

async function countFailure(
  { workspaceId, _id: webhookId, failingSince }: WebhookDocument,
  at: Date,
  { context, progress, plan }: DeliverDeps,
): Promise<void> {
  if (!failingSince) return progress.recordFailure(workspaceId, webhookId, at);
  const since = new Date(at.getTime() - plan.disableAfterMs);
  if (failingSince > since) return;
  if (await progress.disable(workspaceId, webhookId, since, context.clock.date()))
    context.log.warn({ webhookId }, 'a webhook is disabled; its cursor stays until its owner enables it');
}
