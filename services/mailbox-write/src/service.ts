import type { Bus } from '@postroom/events/bus';
import { busOptions } from '@postroom/events/bus-fields';
import { openBus } from '@postroom/events/open-bus';
import { createKeyedQueue } from '@postroom/runtime/keyed-queue';
import type { OutboxStore } from '@postroom/events/outbox/outbox-store';
import { createRelay, type Relay } from '@postroom/events/outbox/relay';
import { createAuditStore } from '@postroom/mail-store/audit-store';
import { openMailStoreFor } from '@postroom/mail-store/connection';
import { createOutboxStore } from '@postroom/mail-store/outbox-store';
import { storeSettings } from '@postroom/mail-store/store-fields';
import {
  MailboxWriteOperatorServiceDefinition,
  MailboxWriteServiceDefinition,
} from '@postroom/proto/postroom/v1/mailbox_write';
import { audited } from '@postroom/rpc/audited';
import { implement } from '@postroom/rpc/definition';
import { openOperatorPort } from '@postroom/rpc/operator-port';
import { serve } from '@postroom/rpc/serve';
import { serverAddress } from '@postroom/rpc/server-fields';
import { defineService, type ServiceContext } from '@postroom/runtime/service';
import type { BodyStore } from './bodies/body-store.ts';
import { sweepBodies } from './bodies/evicting.ts';
import { mailboxWriteAudit } from './audit/audit.ts';
import { config } from './config.ts';
import { createHandlers } from './handlers.ts';
import { createCompletedEmails, createFinalizing, withCompleted } from './ingest/finalizing.ts';
import { sweepUnfinished } from './ingest/finalizing-sweep.ts';
import { sweepOldEffects } from './old-effects/old-effects.ts';
import { sweepRemains } from './remains/sweep-remains.ts';
import { createParsePool, type ParsePool } from './parse/parse-pool.ts';
import { createStores } from './stores.ts';

export const service = defineService({
  name: 'mailbox-write',
  config,
  async open(settings, context) {
    const { collections } = await openMailStoreFor('mailbox-write', storeSettings(settings), context);
    const trail = createAuditStore(collections, context.clock);
    const bus = await openBus({ ...busOptions(settings), context });
    context.lifecycle.add('bus', () => bus.close());
    const stores = createStores(collections, context.clock);
    const completed = createCompletedEmails(stores.unfinished, context);
    const relay = openRelay(withCompleted(createOutboxStore(collections.emails, context), completed), bus, context);
    const removals = openRelay(createOutboxStore(collections.removedEmails, context), bus, context);
    context.lifecycle.add('write of complete emails', completed.close);
    const pool = openPool(settings.PARSE_WORKERS, context);
    const { add: queueByMailbox } = createKeyedQueue();
    const finalizing = {
      ...createFinalizing(stores, completed),
      findMailbox: stores.emails.findMailbox,
      queueByMailbox,
      context,
    };
    context.lifecycle.add('sweep for emails to finalize', sweepUnfinished(finalizing).close);
    context.lifecycle.add('sweep for remains', sweepRemains({ ...stores, context }).close);
    context.lifecycle.add('sweep of old effects', sweepOldEffects({ ...stores, context }).close);
    const { BODIES_KEPT: keptMs } = settings;
    if (keptMs !== undefined) startEvicting(stores.bodies, keptMs, context);
    const { handlers, operatorHandlers } = createHandlers({
      context,
      stores,
      completed,
      relay,
      removals,
      pool,
      queueByMailbox,
    });
    const operators = implement(MailboxWriteOperatorServiceDefinition, operatorHandlers);
    const operatorPort = await openOperatorPort(settings, operators, context);
    const services = [
      implement(
        MailboxWriteServiceDefinition,
        audited<MailboxWriteServiceDefinition>(handlers, mailboxWriteAudit, trail),
      ),
    ];
    const { port } = await serve({ address: serverAddress(settings), services, context });
    return { port, operatorPort };
  },
});

function openRelay(store: OutboxStore, bus: Bus, context: ServiceContext): Relay {
  const relay = createRelay({ store, bus, context });
  context.lifecycle.add('relay', () => relay.close());
  return relay;
}

function startEvicting(bodies: BodyStore, keptMs: number, context: ServiceContext): void {
  const evicted = context.metrics.counter('postroom_bodies_evicted_total', 'Bodies that are left to their providers.');
  const deps = { bodies, keptMs, evicted, context };
  context.lifecycle.add('sweep of old bodies', sweepBodies(deps).close);
}

function openPool(threads: number, context: ServiceContext): ParsePool {
  const deaths = context.metrics.counter('parser_deaths_total', 'Parser threads that died, by what killed them.');
  const pool = createParsePool({ threads, log: context.log, onDeath: (death) => deaths.add(1, { death }) });
  context.lifecycle.add('parsers', () => pool.close());
  return pool;
}
