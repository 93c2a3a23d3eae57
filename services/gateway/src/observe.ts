import type { Histogram } from '@postroom/runtime/metrics';
import type { ServiceContext } from '@postroom/runtime/service';
import { isRoute, type Exchange } from './exchange.ts';

export type Observe = (exchange: Exchange, status: number, startedAt: number) => void;

/** One measurement and one log line per request; the route's template stands for the path, which holds ids. */
export function createObserver({ metrics, log }: ServiceContext): Observe {
  const seconds: Histogram = metrics.histogram(
    'http_request_seconds',
    'How long requests took, by route and status, from their arrival to their answer.',
  );
  return (exchange, status, startedAt) => {
    const { endpoint, request, requestId, caller } = exchange;
    const duration = performance.now() - startedAt;
    // A made-up method must not become a label of its own.
    const method = isRoute(endpoint) ? endpoint.method : 'other';
    seconds.record(duration / 1_000, { method, route: endpoint.path, status });
    if (!log.isLevelEnabled('info')) return;
    const { workspaceId } = caller ?? {};
    const ms = Math.round(duration * 10) / 10;
    log.info({ requestId, workspaceId, method: request.method, route: endpoint.path, status, ms }, 'request');
  };
}
