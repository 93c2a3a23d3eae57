import type { Bus } from '@postroom/events/bus';
import { busOptions } from '@postroom/events/bus-fields';
import { openBus } from '@postroom/events/open-bus';
import type { Collections } from '@postroom/mail-store/collections';
import { openMailStore } from '@postroom/mail-store/connection';
import { storeSettings } from '@postroom/mail-store/store-fields';
import { MailboxWriteServiceDefinition } from '@postroom/proto/postroom/v1/mailbox_write';
import { implement } from '@postroom/rpc/definition';
import { serve } from '@postroom/rpc/serve';
import type { ServiceContext, ServiceDefinition } from '@postroom/runtime/service';
import type { z } from 'zod';
import { config } from './config.ts';
import { createHandlers } from './handlers.ts';
import { createParsePool, type ParsePool } from './parse/parse-pool.ts';
import { createOwedStore } from './relay/owed-store.ts';
import { createRelay, type Relay } from './relay/relay.ts';

/** What outbound-send and the classifier will call once they are built. */
const LATER = ['storeOutgoing', 'recordClassification'] as const;

type Config = z.infer<typeof config>;

interface Injected {
  /** The bus of a process that holds several services, or of a test. */
  bus?: Bus | undefined;
}

export const service = {
  name: 'mailbox-write',
  config,
  async open(settings: Config, context: ServiceContext, injected: Injected = {}) {
    const { collections } = await openMailStore(storeSettings(settings), context);
    const bus = injected.bus ?? (await openOwnBus(settings, context));
    const relay = openRelay(collections, bus, context);
    const pool = openPool(settings.PARSE_WORKERS, context);
    const handlers = createHandlers({ collections, relay, pool, context });
    const { port } = await serve({
      address: `${settings.HOST}:${settings.GRPC_PORT}`,
      services: [implement(MailboxWriteServiceDefinition, handlers, LATER)],
      context,
    });
    return { port };
  },
} satisfies ServiceDefinition<Config>;

async function openOwnBus(settings: Config, context: ServiceContext): Promise<Bus> {
  const bus = await openBus({ ...busOptions(settings), context });
  context.lifecycle.add('bus', () => bus.close());
  return bus;
}

function openRelay(collections: Collections, bus: Bus, context: ServiceContext): Relay {
  const relay = createRelay({ store: createOwedStore(collections), bus, context });
  context.lifecycle.add('relay', () => relay.close());
  return relay;
}

function openPool(threads: number, context: ServiceContext): ParsePool {
  const deaths = context.metrics.counter('parser_deaths_total', 'Parser threads that died, by what killed them.');
  const pool = createParsePool({ threads, log: context.log, onDeath: (death) => deaths.add(1, { death }) });
  context.lifecycle.add('parsers', () => pool.close());
  return pool;
}
