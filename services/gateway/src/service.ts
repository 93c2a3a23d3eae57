import { redisSettings } from '@postroom/limits/limiter-fields';
import { openLimiter } from '@postroom/limits/open-limiter';
import { openMailStoreFor } from '@postroom/mail-store/connection';
import { storeSettings } from '@postroom/mail-store/store-fields';
import { defineService } from '@postroom/runtime/service';
import { config } from './config.ts';
import { openEdge } from './edge.ts';
import { createIdempotencyStore } from './idempotency-store.ts';
import { createKeyDirectory } from './key-directory.ts';
import { createMonthFloorStore } from './month-floor-store.ts';
import { connectServices } from './services.ts';

export const service = defineService({
  name: 'gateway',
  config,
  async open(settings, context) {
    const { collections } = await openMailStoreFor('gateway', storeSettings(settings), context);
    const limiter = await openLimiter({
      redis: redisSettings(settings),
      floors: createMonthFloorStore(collections),
      context,
    });
    context.lifecycle.add('limiter', () => limiter.close());
    const services = connectServices(settings, context);
    const { clock, log } = context;
    const keys = createKeyDirectory({ workspace: services.workspace, clock, log });
    const idempotency = createIdempotencyStore(collections);
    return { port: await openEdge(settings, { keys, limiter, idempotency, services }, context) };
  },
});
