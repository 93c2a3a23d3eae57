import { redisSettings } from '@postroom/limits/limiter-fields';
import { openLimiter } from '@postroom/limits/open-limiter';
import { openMailStore } from '@postroom/mail-store/connection';
import { storeSettings } from '@postroom/mail-store/store-fields';
import { defineService } from '@postroom/runtime/service';
import { createApp } from './app.ts';
import { config } from './config.ts';
import type { Gateway } from './exchange.ts';
import { openHttp } from './http/server.ts';
import { createIdempotencyStore } from './idempotency-store.ts';
import { createKeyDirectory } from './key-directory.ts';
import { openPages } from './openapi/pages.ts';
import { createOverload } from './overload.ts';
import { routes } from './routes/table.ts';
import { createServeRequest } from './serve-request.ts';
import { connectServices } from './services.ts';

export const service = defineService({
  name: 'gateway',
  config,
  async open(settings, context) {
    const { collections } = await openMailStore(storeSettings(settings), context);
    const limiter = await openLimiter({ redis: redisSettings(settings), context });
    context.lifecycle.add('limiter', () => limiter.close());
    const services = connectServices(settings, context);
    const { clock, log, metrics } = context;
    const gateway: Gateway = {
      context,
      limiter,
      services,
      keys: createKeyDirectory({ workspace: services.workspace, clock, log }),
      idempotency: createIdempotencyStore(collections),
    };

    const overload = createOverload({ maxInFlight: settings.MAX_IN_FLIGHT, maxLagMs: settings.MAX_LAG });
    context.lifecycle.add('overload watch', () => overload.close());
    metrics.gauge('http_requests_in_flight', 'Requests that are being answered.', () => overload.inFlight);
    const serve = createServeRequest(gateway, overload);
    const pages = openPages(routes, settings.PUBLIC_URL);
    const app = createApp({ gateway, routes, pages, serve });
    return { port: await openHttp(app, settings.HOST, settings.HTTP_PORT, context) };
  },
});
