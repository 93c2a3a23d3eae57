import type { DeliveryDocument, WebhookDocument } from '@postroom/mail-store/documents/webhook';
import { createFairLimit, type FairLimit } from '@postroom/runtime/fair-limit';
import type { ServiceContext } from '@postroom/runtime/service';
import type { createAttempt } from './attempt.ts';
import type { EndpointPacing } from './pacing.ts';
import type { ProgressStore } from './progress-store.ts';
import { type AttemptKind, createRecord, type RaiseDue } from './record-attempt.ts';
import type { RetryPlan } from './schedule.ts';

export interface MakeAttemptsDeps {
  context: Pick<ServiceContext, 'clock' | 'log'>;
  progress: ProgressStore;
  attempt: ReturnType<typeof createAttempt>;
  pacing: Pick<EndpointPacing, 'takes'>;
  plan: RetryPlan;
  isMine(workspaceId: string): boolean;
  /** Something is due at an endpoint at this time. */
  onDue(webhookId: string, at: Date): void;
}

/** The most attempts at one endpoint at once. */
const WIDTH = 8;

/** The endpoint takes no more deliveries of this kind, or another process delivers to it. */
export class Stopped extends Error {}

/** Makes attempts and records them. */
export function createMakeAttempts(deps: MakeAttemptsDeps) {
  const { progress, attempt, pacing, isMine, onDue } = deps;
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
      const isWide = pacing.takes(webhookId) && (kind !== 'first' || delivery.seq > known.orderedUntil);
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
