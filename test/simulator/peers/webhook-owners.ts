import { WebhookDeliveryServiceDefinition } from '@postroom/proto/postroom/v1/webhook_delivery';
import type { Client } from '@postroom/rpc/definition';
import { createProcess, type Process, within } from '../world/process.ts';
import type { Network } from '../world/rpc.ts';
import type { World } from '../world/world.ts';
import { untilDone } from './told.ts';

/** A webhook, and what its owner does with it. */
export interface OwnedWebhook {
  workspaceId: string;
  host: string;
  events: string[];
  webhookId?: string;
  /** The owner asked to recover everything, also what came before the webhook. */
  asksForEarlier: boolean;
  /** They asked once more behind the last fault, and were answered. */
  isRecovered: boolean;
  /** The owner does nothing more than to look after it. */
  isOver: boolean;
  /** The replays that the owner asked for, and was answered. */
  replays: { deliveryId: string; askedAt: number }[];
}

const LONGEST_PAUSE_MS = 8_000;
const LONGEST_UNTIL_LAST_MS = 25_000;
const BETWEEN_ACTS_MS = 3_000;
const SHARE_OF_QUIET_OWNERS = 0.4;
const SHARE_OF_PAUSES = 0.2;
const SHARE_OF_REPLAYS = 0.2;
const SHARE_OF_RECOVERIES = 0.15;
const SHARE_OF_LAST_RECOVERIES = 0.5;

/** Makes a webhook, pauses it at times, enables one that was disabled, and asks for deliveries once more. */
export function openWebhookOwner(world: World, network: Network, webhook: OwnedWebhook, calmAt: number): void {
  const { host, events } = webhook;
  const process = createProcess(world, `owner of ${host}`);
  const service = network.connect(WebhookDeliveryServiceDefinition, process);
  const { clock } = process.context;
  const { chance } = world;
  const { pause, replay, recover, enableAgain } = actsOf(process, service, webhook);
  const acts = [
    [SHARE_OF_PAUSES, pause],
    [SHARE_OF_REPLAYS, replay],
    [SHARE_OF_RECOVERIES, recover],
  ] as const;

  const play = async (): Promise<void> => {
    await clock.sleep(chance.below(LONGEST_PAUSE_MS));
    const made = { url: `https://${host}/hook`, events, description: undefined };
    const call = { workspaceId: webhook.workspaceId, operationId: `makes ${host}` };
    const webhookId = (await untilDone(process, () => service.createWebhook(made, call))).webhook?.id ?? '';
    webhook.webhookId = webhookId;
    const isQuiet = chance.happens(SHARE_OF_QUIET_OWNERS);
    while (world.now() < calmAt) {
      await clock.sleep(chance.below(BETWEEN_ACTS_MS));
      for (const [share, act] of isQuiet ? [] : acts) if (chance.happens(share)) await act(webhookId);
      await enableAgain(webhookId);
    }
    await enableAgain(webhookId);
    if (chance.happens(SHARE_OF_LAST_RECOVERIES)) {
      await clock.sleep(chance.below(LONGEST_UNTIL_LAST_MS));
      await recover(webhookId);
      webhook.isRecovered = true;
    }
    webhook.isOver = true;
    for (;;) {
      await enableAgain(webhookId);
      await clock.sleep(BETWEEN_ACTS_MS);
    }
  };
  world.after(0, process, () => void within(process, play));
}

/** Each is repeated until it is answered. */
function actsOf(process: Process, service: Client<WebhookDeliveryServiceDefinition>, webhook: OwnedWebhook) {
  const { world, context } = process;
  const { chance } = world;
  const call = { workspaceId: webhook.workspaceId };
  const since = new Date(world.now() - LONGEST_PAUSE_MS).toISOString();
  const say = (what: string) => world.trace.say(process.name, what);
  const set = (webhookId: string, status: string) =>
    untilDone(process, () =>
      service.updateWebhook({ webhookId, status, events: undefined, clearDescription: false }, call),
    );
  return {
    pause: async (webhookId: string): Promise<void> => {
      say('pauses it');
      await set(webhookId, 'paused');
      await context.clock.sleep(chance.below(LONGEST_PAUSE_MS));
      say('enables it');
      await set(webhookId, 'enabled');
    },
    replay: async (webhookId: string): Promise<void> => {
      const { items } = await untilDone(process, () => service.listDeliveries({ webhookId, limit: 20 }, call));
      if (items.length === 0) return;
      const { id: deliveryId } = chance.pick(items);
      say(`replays ${deliveryId}`);
      const askedAt = world.now();
      await untilDone(process, () => service.replayDelivery({ webhookId, deliveryId }, call));
      webhook.replays.push({ deliveryId, askedAt });
    },
    recover: async (webhookId: string): Promise<void> => {
      say('recovers everything');
      webhook.asksForEarlier = true;
      await untilDone(process, () => service.recoverDeliveries({ webhookId, since }, call));
    },
    enableAgain: async (webhookId: string): Promise<void> => {
      const { status } = await untilDone(process, () => service.getWebhook({ webhookId }, call));
      // A call that was repeated may have paused it late.
      if (status === 'enabled') return;
      say(`enables it, which is ${status}`);
      await set(webhookId, 'enabled');
    },
  };
}
