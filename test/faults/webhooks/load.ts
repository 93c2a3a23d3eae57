import { setTimeout as sleep } from 'node:timers/promises';
import type { WebhookDeliveryServiceDefinition } from '@postroom/proto/postroom/v1/webhook_delivery';
import type { Client } from '@postroom/rpc/definition';
import type { fakeFeed } from '../../support/webhook-service.ts';
import type { Arrival, Endpoint } from './endpoints.ts';

interface World {
  api: Client<WebhookDeliveryServiceDefinition>;
  feed: Pick<ReturnType<typeof fakeFeed>, 'append'>;
}

export interface Load {
  endpoints: readonly Endpoint[];
  workspaces: number;
  changes: number;
  perSecond: number;
}

interface MadeWebhook extends Endpoint {
  workspaceId: string;
  webhookId: string;
}

/** Endpoints that name no workspace are spread over all of them. */
export async function createWebhooks(
  { api }: Pick<World, 'api'>,
  { endpoints, workspaces }: Load,
): Promise<MadeWebhook[]> {
  const made: MadeWebhook[] = [];
  for (const [n, endpoint] of endpoints.entries()) {
    const workspaceId = endpoint.workspaceId ?? `wsp_${n % workspaces}`;
    const request = { url: `https://${endpoint.host}/hook`, events: [] };
    const { webhook } = await api.createWebhook(request, { workspaceId });
    made.push({ ...endpoint, workspaceId, webhookId: webhook?.id ?? '' });
  }
  return made;
}

const TICK_MS = 10;
const WAIT_MS = 100;

/** Appends the changes, so many in a second and to the workspaces in turn. Returns their ids by workspace. */
export async function appendChanges({ feed }: Pick<World, 'feed'>, { workspaces, changes, perSecond }: Load) {
  const ids = new Map<string, string[]>();
  const began = performance.now();
  for (let made = 0; made < changes;) {
    const due = Math.min(changes, ((performance.now() - began) * perSecond) / 1_000);
    for (; made < due; made += 1) {
      const workspaceId = `wsp_${made % workspaces}`;
      const { id } = feed.append(workspaceId, 'email.deleted', { emailId: `eml_${made}` });
      ids.set(workspaceId, [...(ids.get(workspaceId) ?? []), id]);
    }
    await sleep(TICK_MS);
  }
  return ids;
}

/** Waits until so many have arrived, or none has for so long. */
export async function arrived(count: () => Promise<number> | number, expected: number, quietMs: number): Promise<void> {
  let [before, since] = [-1, performance.now()];
  for (let found = await count(); found < expected; found = await count()) {
    if (found !== before) [before, since] = [found, performance.now()];
    if (performance.now() - since > quietMs) return;
    await sleep(WAIT_MS);
  }
}

/** The healthy endpoints of one workspace have each of its changes. */
export function expectedArrivals(webhooks: readonly MadeWebhook[], ids: ReadonlyMap<string, readonly string[]>) {
  return webhooks
    .filter(({ health }) => health === 'well')
    .flatMap(({ host, workspaceId }) => (ids.get(workspaceId) ?? []).map((id) => `${host} ${id}`));
}

export function delaysOf(arrivals: readonly Arrival[]) {
  const delays = arrivals.map(({ delayMs }) => delayMs).toSorted((a, b) => a - b);
  const at = (part: number) => delays[Math.min(delays.length - 1, Math.floor(delays.length * part))] ?? NaN;
  return { p50: at(0.5), p99: at(0.99), most: at(1) };
}
