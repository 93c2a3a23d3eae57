import { deliveryBody, deliveryHeaders } from '@postroom/contract/webhook-signature';
import type { DeliveryAttemptPart, DeliveryDocument, WebhookDocument } from '@postroom/mail-store/documents/webhook';
import { createFairLimit } from '@postroom/runtime/fair-limit';
import type { Counter } from '@postroom/runtime/metrics';
import type { ServiceContext } from '@postroom/runtime/service';
import type { EndpointSender } from '../sending/send.ts';
import type { Signing } from '../signing/signing.ts';
import type { Targets } from '../targets/targets.ts';
import type { EndpointPacing } from './pacing.ts';

export interface AttemptDeps {
  context: Pick<ServiceContext, 'clock' | 'log'>;
  sender: Pick<EndpointSender, 'send'>;
  signing: Pick<Signing, 'open'>;
  targets: Pick<Targets, 'find'>;
  attempts: Pick<Counter, 'add'>;
  pacing: EndpointPacing;
  /** The attempts of this process at once. */
  inFlight: number;
}

export type Attempted = DeliveryAttemptPart & { isDelivered: boolean };
type Delivered = Pick<DeliveryDocument, 'changeId' | 'event' | 'changedAt' | 'data'>;

/**
 * Permits for attempts, and one POST to an endpoint. Workspaces take the permits in rotation, and leave as many free as each of them holds: endpoints that answered
 * may all hang at once. The endpoints that are not known to answer have half of all attempts at most, and these begin one after the other, so that those that answer
 * always find room.
 */
export function createAttempt(deps: AttemptDeps) {
  const { clock, log } = deps.context;
  const { pacing } = deps;
  const all = createFairLimit({ total: deps.inFlight, leavesFree: true });
  const ofOthers = createFairLimit({ total: Math.max(1, Math.floor(deps.inFlight / 2)), leavesFree: true });

  const send = async (webhook: WebhookDocument, delivery: Delivered): Promise<Attempted> => {
    const at = clock.date();
    const { changeId: id, event, changedAt, data } = delivery;
    const body = deliveryBody({ event, createdAt: changedAt.toISOString(), data });
    const secret = await deps.signing.open(webhook);
    const headers = deliveryHeaders({ id, event }, body, { secret: secret.reveal(), at });
    const { workspaceId } = webhook;
    const find = () => deps.targets.find(webhook.url);
    const { isDelivered, status, error } = await deps.sender.send(find, { workspaceId, headers, body });
    const durationMs = Math.max(0, clock.now() - at.getTime());
    pacing.note(webhook._id, { isDelivered });
    deps.attempts.add(1, { result: isDelivered ? 'delivered' : status === null ? 'no answer' : 'refused' });
    if (!isDelivered)
      log.info(
        { webhookId: webhook._id, status, error },
        'an endpoint did not take a delivery; its next attempt follows',
      );
    return { at, status, error, durationMs, isDelivered };
  };

  return {
    send,
    /** The wait for a permit may be long, so the task reads by itself how the endpoint is by then. */
    withPermit: async (webhook: WebhookDocument, task: () => Promise<void>, signal: AbortSignal): Promise<void> => {
      const owner = webhook.workspaceId;
      const whole = () => all.run(owner, task, { signal });
      if (pacing.takes(webhook._id)) return whole();
      await pacing.beforeAttempt(webhook, signal);
      await ofOthers.run(owner, whole, { signal });
    },
  };
}
