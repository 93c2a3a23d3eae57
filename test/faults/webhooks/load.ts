import { setTimeout as sleep } from 'node:timers/promises';
import type { WebhookDeliveryServiceDefinition } from '@postroom/proto/postroom/v1/webhook_delivery';
import type { Client } from '@postroom/rpc/definition';
import type { fakeFeed } from '../../support/webhook-service.ts';
import type { Arrival, Endpoint, Endpoints } from './endpoints.ts';

export interface World {
  api: Client<WebhookDeliveryServiceDefinition>;
  feed: Pick<ReturnType<typeof fakeFeed>, 'append'>;
  servers: Endpoints;
}

export interface Load {
  endpoints: readonly Endpoint[];
  workspaces: number;
  changes: number;
  perSecond: number;
}

export interface MadeWebhook extends Endpoint {
  workspaceId: string;
  webhookId: string;
}

/** The endpoints take their workspaces in turn. */
export async function createWebhooks({ api }: World, { endpoints, workspaces }: Load): Promise<MadeWebhook[]> {
  const made: MadeWebhook[] = [];
  for (const [n, endpoint] of endpoints.entries()) {
    const workspaceId = `wsp_${n % workspaces}`;
    const request = { url: `https://${endpoint.host}/hook`, events: [] };
    const { webhook } = await api.createWebhook(request, { workspaceId });
    made.push({ ...endpoint, workspaceId, webhookId: webhook?.id ?? '' });
  }
  return made;
}

const TICK_MS = 10;

/** Appends the changes, so many in a second and to the workspaces in turn. Returns their ids by workspace. */
export async function appendChanges({ feed }: World, { workspaces, changes, perSecond }: Load) {
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

/** The arrivals at the healthy endpoints once they are all there, or as many as came while any came. */
export async function arrived({ servers }: World, expected: number, quietMs: number): Promise<void> {
  for (let count = -1; servers.arrivals.length < expected && count !== servers.arrivals.length;) {
    count = servers.arrivals.length;
    for (const end = performance.now() + quietMs; performance.now() < end;) {
      if (servers.arrivals.length > count) break;
      await sleep(TICK_MS);
    }
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
