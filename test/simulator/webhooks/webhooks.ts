import { WEBHOOK_EVENTS } from '@postroom/contract/lists';
import { storedName } from '@postroom/mail-store/stored-names';
import { WORKSPACES } from '../arriving/setting.ts';
import { openEndpoints } from '../peers/endpoints.ts';
import { scriptedModel } from '../peers/model.ts';
import { type OwnedWebhook, openWebhookOwner } from '../peers/webhook-owners.ts';
import { openChanges } from '../pods/changes.ts';
import { keepPods, stallBehindWrites } from '../pods/pods.ts';
import { openWebhookDelivery } from '../pods/webhook-delivery.ts';
import { endFaultsLater, findAll, playToEnd, type Workload } from '../workload.ts';
import { createBroker } from '../world/broker.ts';
import { makeUniqueIndexes } from '../world/database.ts';
import { type FaultName, REPEATING } from '../world/faults.ts';
import { createNetwork } from '../world/rpc.ts';
import { useVirtualTimers } from '../world/virtual-timers.ts';
import type { World } from '../world/world.ts';
import { promises, type StoredChange, type StoredDelivery, type StoredWebhook } from './promises.ts';

const CHANGE = { workspaceId: 1, seq: 1, event: 1, createdAt: 1 } as const;
const WEBHOOK = { status: 1, cursor: 1 } as const;
const DELIVERY = { webhookId: 1, changeId: 1, status: 1, attempts: 1, nextAttemptAt: 1, replayAt: 1 } as const;

const LONGEST_UNTIL_CHANGE_MS = 3_500;
const MOST_AT_ONCE = 5;
const EVENTS = [...WEBHOOK_EVENTS, 'email.moved'] as const;

/** Behind these an attempt may be made again whose first one arrived. */
const DISTURBING: readonly FaultName[] = [...REPEATING, 'lostEndpointAnswers'];
const AS_WORLD_IS: readonly FaultName[] = ['sickEndpoint', 'clocks', 'fullDisk'];

/** A fault that says how a world is strikes nowhere. */
const isDisturbed = ({ faults }: World): boolean =>
  DISTURBING.some((name) => name in faults.counts()) || AS_WORLD_IS.some((name) => faults.isOn(name));

/** Two webhooks of each workspace: one wants all events, the other some. The first of all may have a sick endpoint. */
const ownedWebhooks = (): OwnedWebhook[] =>
  WORKSPACES.flatMap((workspaceId) => {
    const untouched = { workspaceId, asksForEarlier: false, isRecovered: false, isOver: false };
    return [
      { ...untouched, host: `all.${workspaceId}.example`, events: [], replays: [] },
      { ...untouched, host: `some.${workspaceId}.example`, events: ['email.received', 'label.applied'], replays: [] },
    ];
  });

/** Stands for the consumers of the feed: appends changes in their order. */
function appendChanges(world: World, workspaceId: string, count: number): { isOver: () => boolean } {
  const { chance } = world;
  let seq = 0;
  const append = async (): Promise<void> => {
    const some = Math.min(count - seq, chance.between(1, MOST_AT_ONCE));
    const documents = Array.from({ length: some }, () => {
      seq += 1;
      const at = new Date(world.now());
      const data = { emailId: `eml_${seq}` };
      const _id = `evt_${seq}_of_${workspaceId}`;
      return { _id, workspaceId, seq, event: chance.pick(EVENTS), data, aspects: [], createdAt: at, appendedAt: at };
    });
    await world.database.run({ insert: storedName('changes'), documents });
    if (seq < count) world.after(chance.below(LONGEST_UNTIL_CHANGE_MS), undefined, append);
  };
  world.after(chance.below(LONGEST_UNTIL_CHANGE_MS), undefined, append);
  return { isOver: () => seq >= count };
}

/** The number of the newest change when each webhook was made. */
function watchCreation({ database }: World): ReadonlyMap<string, number> {
  const begunAt = new Map<string, number>();
  database.onWrite(async ({ collection, body }) => {
    if (collection !== storedName('webhooks') || body['insert'] === undefined) return;
    for (const { _id, cursor } of body['documents'] as StoredWebhook[]) if (!begunAt.has(_id)) begunAt.set(_id, cursor);
  });
  return begunAt;
}

/** Changes of two workspaces are delivered to endpoints, while their owners pause, replay and recover. */
export const webhooks: Workload = async (world, count) => {
  await makeUniqueIndexes(world.database);
  const begunAt = watchCreation(world);
  const [broker, network] = [createBroker(world), createNetwork()];
  const realTimers = useVirtualTimers(world.scheduler);
  try {
    stallBehindWrites(world);
    const owned = ownedWebhooks();
    const endpoints = openEndpoints(world, owned[0]?.host ?? '');
    const services = { changes: openChanges, 'webhook-delivery': openWebhookDelivery(endpoints.senderOf) };
    keepPods(world, services, { broker, network, modelOf: scriptedModel() });
    const appending = WORKSPACES.map((id) => appendChanges(world, id, count));
    const calmAt = Math.max(endFaultsLater(world), endpoints.wellFrom);
    for (const webhook of owned) openWebhookOwner(world, network, webhook, calmAt);
    return await playToEnd(world, calmAt, promises, async () => ({
      owned,
      isAppended: appending.every(({ isOver }) => isOver()),
      changes: await findAll<StoredChange>(world, 'changes', CHANGE),
      webhooks: await findAll<StoredWebhook>(world, 'webhooks', WEBHOOK),
      deliveries: await findAll<StoredDelivery>(world, 'deliveries', DELIVERY),
      begunAt,
      arrivals: endpoints.arrivals,
      isUndisturbed: !isDisturbed(world),
      calmAt,
    }));
  } finally {
    realTimers();
  }
};
