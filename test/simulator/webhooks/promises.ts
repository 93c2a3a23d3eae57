import { isOneOf, WEBHOOK_EVENTS } from '@postroom/contract/lists';
import type { Arrival } from '../peers/endpoints.ts';
import type { OwnedWebhook } from '../peers/webhook-owners.ts';
import { FARTHEST_CLOCK_MS } from '../world/process.ts';
import type { Promises } from '../workload.ts';

export interface StoredChange {
  _id: string;
  workspaceId: string;
  seq: number;
  event: string;
  createdAt: Date;
}

export interface StoredWebhook {
  _id: string;
  status: string;
  cursor: number;
}

export interface StoredDelivery {
  _id: string;
  webhookId: string;
  changeId: string;
  status: string;
  attempts: { status: number | null; at: Date }[];
  nextAttemptAt?: Date;
  replayAt?: Date;
}

interface Outcome {
  owned: readonly OwnedWebhook[];
  /** Every change has been appended. */
  isAppended: boolean;
  changes: readonly StoredChange[];
  webhooks: readonly StoredWebhook[];
  deliveries: readonly StoredDelivery[];
  /** The position of each webhook at its creation. */
  begunAt: ReadonlyMap<string, number>;
  arrivals: readonly Arrival[];
  /** Nothing struck behind which a delivery may be made again. */
  isUndisturbed: boolean;
  calmAt: number;
}

/** The first attempt, and one behind each delay. */
const MOST_ATTEMPTS = 5;
/** The clocks of two processes differ by so much at the most. */
const BETWEEN_CLOCKS_MS = 2 * FARTHEST_CLOCK_MS;
/** An endpoint that is well gets a change within this time, or within this time behind the last fault. */
const LONGEST_MS = 40_000;

const isAskedFor = ({ workspaceId, events }: OwnedWebhook, change: StoredChange): boolean =>
  change.workspaceId === workspaceId &&
  isOneOf(WEBHOOK_EVENTS, change.event) &&
  (events.length === 0 || events.includes(change.event));

/** The changes that one webhook is to tell of: those from its creation on, or all of them once they were recovered. */
function wantedBy({ changes, begunAt }: Outcome, webhook: OwnedWebhook): StoredChange[] {
  const position = begunAt.get(webhook.webhookId ?? '') ?? Infinity;
  return changes.filter((one) => isAskedFor(webhook, one) && (webhook.isRecovered || one.seq > position));
}

const took = ({ arrivals }: Outcome, host: string, changeId: string) =>
  arrivals.filter((arrival) => arrival.host === host && arrival.changeId === changeId);

export const promises: Promises<Outcome> = {
  'everything that is to happen happens': ({ isAppended, owned }) => [
    ...(isAppended ? [] : ['not every change is appended']),
    ...owned.flatMap(({ host, isOver }) => (isOver ? [] : [`the owner of ${host} is not done`])),
  ],

  'P29 each change is delivered, or visible as given up': (outcome) =>
    outcome.owned.flatMap((webhook) =>
      wantedBy(outcome, webhook).flatMap(({ _id, seq }) => {
        const { host, webhookId, isRecovered } = webhook;
        const all = outcome.deliveries.filter((one) => one.webhookId === webhookId && one.changeId === _id);
        if (all.length !== 1) return [`change ${seq} has ${all.length} deliveries to ${host}`];
        const [{ status, attempts, nextAttemptAt, replayAt } = { status: '', attempts: [] }] = all;
        const isGivenUp = status === 'abandoned' && !isRecovered && attempts.length >= MOST_ATTEMPTS;
        const isWrong = status === 'delivered' ? took(outcome, host, _id).length === 0 : !isGivenUp;
        const waits = nextAttemptAt ?? replayAt;
        return [
          ...(isWrong ? [`change ${seq} to ${host} is ${status} after ${attempts.length} attempts`] : []),
          ...(waits ? [`change ${seq} to ${host} waits in the end`] : []),
        ];
      }),
    ),

  'P29 each replay is made': ({ owned, deliveries }) =>
    owned.flatMap(({ host, replays }) =>
      replays.flatMap(({ deliveryId, askedAt }) => {
        const attempts = deliveries.find(({ _id }) => _id === deliveryId)?.attempts ?? [];
        const isMade = attempts.some(({ at }) => at.getTime() >= askedAt - BETWEEN_CLOCKS_MS);
        return isMade ? [] : [`the replay of ${deliveryId} to ${host} was not made`];
      }),
    ),

  'P29 no endpoint gets anything else': (outcome) =>
    outcome.arrivals.flatMap(({ host, changeId }) => {
      const webhook = outcome.owned.find((one) => one.host === host);
      const possible = webhook?.asksForEarlier ? outcome.changes.filter((one) => isAskedFor(webhook, one)) : [];
      const isWanted = webhook && [...possible, ...wantedBy(outcome, webhook)].some(({ _id }) => _id === changeId);
      return isWanted ? [] : [`${host} got ${changeId}`];
    }),

  'P29 a change comes once where nothing breaks': (outcome) =>
    outcome.owned.flatMap((webhook) =>
      wantedBy(outcome, webhook).flatMap(({ _id, seq }) => {
        const times = took(outcome, webhook.host, _id).length;
        return times > 1 && outcome.isUndisturbed && webhook.replays.length === 0
          ? [`change ${seq} came to ${webhook.host} ${times} times`]
          : [];
      }),
    ),

  'P29 a webhook is at the end of the feed': ({ owned, webhooks, changes }) =>
    owned.flatMap(({ host, webhookId, workspaceId }) => {
      const stored = webhooks.find(({ _id }) => _id === webhookId);
      const head = Math.max(0, ...changes.filter((one) => one.workspaceId === workspaceId).map(({ seq }) => seq));
      if (!stored || (stored.status === 'enabled' && stored.cursor === head)) return [];
      return [`${host} is ${stored.status} at ${stored.cursor} of ${head}`];
    }),

  'P29 a delivery comes in time': (outcome) =>
    outcome.owned.flatMap((webhook) =>
      wantedBy(outcome, webhook).flatMap(({ _id, seq, createdAt }) => {
        const [first] = took(outcome, webhook.host, _id);
        const latest = Math.max(outcome.calmAt, createdAt.getTime()) + LONGEST_MS;
        return first && first.at > latest && !webhook.isRecovered
          ? [`change ${seq} came to ${webhook.host} ${(first.at - latest) / 1_000} s too late`]
          : [];
      }),
    ),
};
