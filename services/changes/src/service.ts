import { busOptions } from '@postroom/events/bus-fields';
import { openBus } from '@postroom/events/open-bus';
import { openMailStoreFor } from '@postroom/mail-store/connection';
import { createDeadLetterStore } from '@postroom/mail-store/dead-letter-store';
import { storeSettings } from '@postroom/mail-store/store-fields';
import { ChangesServiceDefinition } from '@postroom/proto/postroom/v1/changes';
import { implement } from '@postroom/rpc/definition';
import { serve } from '@postroom/rpc/serve';
import { serverAddress } from '@postroom/rpc/server-fields';
import { defineService } from '@postroom/runtime/service';
import { appendEvents, FEED_TYPES } from './appending/append-events.ts';
import { createFeedStore } from './feed/change-store.ts';
import { config } from './config.ts';
import { createEmailStateStore } from './appending/email-state-store.ts';
import { createHandlers } from './handlers.ts';
import { createChangeWaiters } from './watching/change-waiters.ts';
import { startTrimming } from './trimming/trim.ts';

export const service = defineService({
  name: 'changes',
  consumes: FEED_TYPES,
  config,
  async open(settings, context) {
    const { clock, log } = context;
    const { collections } = await openMailStoreFor('changes', storeSettings(settings), context);
    const changes = createFeedStore(collections);
    const emails = createEmailStateStore(collections);
    const bus = await openBus({ ...busOptions(settings), context });
    context.lifecycle.add('bus', () => bus.close());
    const trimming = startTrimming({ changes, clock }, log);
    context.lifecycle.add('trimming of changes', () => trimming.close());
    const changeWaiters = createChangeWaiters({ changes, context });
    const services = [implement(ChangesServiceDefinition, createHandlers({ changes, changeWaiters }))];
    const { port } = await serve({ address: serverAddress(settings), services, context });
    // It closes before the server does, so that those who wait are answered.
    context.lifecycle.add('waiters for changes', () => changeWaiters.close());

    const deadLetters = createDeadLetterStore(collections);
    const concurrency = settings.APPEND_CONCURRENCY;
    await appendEvents({ changes, emails, changeWaiters, bus, deadLetters, concurrency }, context);
    return { port };
  },
});
