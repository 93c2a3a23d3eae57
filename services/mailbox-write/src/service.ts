import type { Bus } from '@postroom/events/bus';
import { busOptions } from '@postroom/events/bus-fields';
import { openBus } from '@postroom/events/open-bus';
import { createRelay, type Relay } from '@postroom/events/outbox/relay';
import type { Collections } from '@postroom/mail-store/collections';
import { openMailStore } from '@postroom/mail-store/connection';
import { createOutboxStore } from '@postroom/mail-store/outbox-store';
import { storeSettings } from '@postroom/mail-store/store-fields';
import { MailboxWriteServiceDefinition } from '@postroom/proto/postroom/v1/mailbox_write';
import { implement } from '@postroom/rpc/definition';
import { serve } from '@postroom/rpc/serve';
import { defineService, type ServiceContext } from '@postroom/runtime/service';
import { config } from './config.ts';
import { createHandlers } from './handlers.ts';
import { TIE_BY } from './ingest/storing.ts';
import { createParsePool, type ParsePool } from './parse/parse-pool.ts';

/** What outbound-send and the classifier will call once they are built. */
const LATER = ['storeOutgoing', 'recordClassification'] as const;

export const service = defineService({
  name: 'mailbox-write',
  config,
  async open(settings, context) {
    const { collections } = await openMailStore(storeSettings(settings), context);
    const bus = await openBus({ ...busOptions(settings), context });
    context.lifecycle.add('bus', () => bus.close());
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
});

function openRelay(collections: Collections, bus: Bus, context: ServiceContext): Relay {
  const store = createOutboxStore(collections.emails, { ids: context.ids, tieBy: TIE_BY });
  const relay = createRelay({ store, bus, context });
  context.lifecycle.add('relay', () => relay.close());
  return relay;
}

function openPool(threads: number, context: ServiceContext): ParsePool {
  const deaths = context.metrics.counter('parser_deaths_total', 'Parser threads that died, by what killed them.');
  const pool = createParsePool({ threads, log: context.log, onDeath: (death) => deaths.add(1, { death }) });
  context.lifecycle.add('parsers', () => pool.close());
  return pool;
}
