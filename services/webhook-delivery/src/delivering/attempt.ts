import { deliveryBody, deliveryHeaders } from '@postroom/contract/webhook';
import type { DeliveryAttemptPart, DeliveryDocument, WebhookDocument } from '@postroom/mail-store/documents/webhook';
import { createFairLimit } from '@postroom/runtime/fair-limit';
import type { Counter } from '@postroom/runtime/metrics';
import type { ServiceContext } from '@postroom/runtime/service';
import type { EndpointSender } from '../sending/send.ts';
import type { Signing } from '../signing/signing.ts';
import type { Targets } from '../targets/targets.ts';

export interface AttemptDeps {
  context: Pick<ServiceContext, 'clock' | 'log'>;
  sender: EndpointSender;
  signing: Pick<Signing, 'open'>;
  targets: Pick<Targets, 'find'>;
  attempts: Pick<Counter, 'add'>;
  /** The attempts of this process at once. */
  inFlight: number;
}

export type Attempted = DeliveryAttemptPart & { isDelivered: boolean };
type Delivered = Pick<DeliveryDocument, 'changeId' | 'event' | 'changedAt' | 'data'>;

/** An endpoint that needs longer for an answer is sick for the share that it gets. */
const SLOW_MS = 1_000;
/** So long the processor is free for the endpoints that answer, which get the same change in the same moment. */
const SICK_PAUSE_MS = 250;

/**
 * Permits for attempts, and one POST to an endpoint. Workspaces take the permits in rotation. The endpoints that are not known to answer have half of all attempts
 * at most, and one whose last attempt failed or was slow begins a moment later, so that those that answer always find room.
 */
export function createAttempt(deps: AttemptDeps) {
  const { clock, log } = deps.context;
  const all = createFairLimit({ total: deps.inFlight });
  const ofOthers = createFairLimit({ total: Math.max(1, Math.floor(deps.inFlight / 2)) });
  /** Of the last attempt. */
  const health = new Map<string, 'well' | 'sick'>();
  const isWell = (webhookId: string): boolean => health.get(webhookId) === 'well';
  const isSick = ({ _id, failingSince }: WebhookDocument): boolean =>
    (health.get(_id) ?? (failingSince ? 'sick' : undefined)) === 'sick';

  const send = async (webhook: WebhookDocument, delivery: Delivered): Promise<Attempted> => {
    const at = clock.date();
    const { changeId: id, event, changedAt, data } = delivery;
    const body = deliveryBody({ event, createdAt: changedAt.toISOString(), data });
    const secret = await deps.signing.open(webhook);
    const headers = deliveryHeaders({ id, event }, body, { secret: secret.reveal(), at });
    const { isDelivered, status, error } = await deps.sender.send(() => deps.targets.find(webhook.url), {
      headers,
      body,
    });
    const durationMs = Math.max(0, clock.now() - at.getTime());
    health.set(webhook._id, isDelivered && durationMs < SLOW_MS ? 'well' : 'sick');
    deps.attempts.add(1, { result: isDelivered ? 'delivered' : status === null ? 'no answer' : 'refused' });
    if (!isDelivered)
      log.info(
        { webhookId: webhook._id, status, error },
        'an endpoint did not take a delivery; its next attempt follows',
      );
    return { at, status, error, durationMs, isDelivered };
  };

  return {
    isWell,
    forget: (webhookId: string): void => void health.delete(webhookId),
    send,
    /** The wait for a permit may be long, so the task reads by itself how the endpoint is by then. */
    withPermit: (webhook: WebhookDocument, task: () => Promise<void>, signal: AbortSignal): Promise<void> => {
      const owner = webhook.workspaceId;
      const whole = () => all.run(owner, task, { signal });
      const later = () => clock.sleep(SICK_PAUSE_MS, signal).then(whole);
      return isWell(webhook._id) ? whole() : ofOthers.run(owner, isSick(webhook) ? later : whole, { signal });
    },
  };
}
