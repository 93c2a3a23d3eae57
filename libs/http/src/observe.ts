import type { Histogram } from '@postroom/runtime/metrics';
import type { ServiceContext } from '@postroom/runtime/service';

interface Observed {
  /** The template of a route, instead of the path, because the path contains ids. */
  route: string;
  /** From a closed list, as a label must be. */
  method: string;
  /** As it was sent, where it could be read. */
  sentMethod?: string | undefined;
  requestId: string;
  workspaceId?: string | undefined;
}

export type Observe = (observed: Observed, status: number, startedAt: number) => void;

/** One measurement and one log line for everything that is answered. */
export function createObserver({ metrics, log }: ServiceContext): Observe {
  const seconds: Histogram = metrics.histogram(
    'http_request_seconds',
    'How long requests took, by route and status, from their arrival to their answer.',
  );
  return ({ route, method, sentMethod, requestId, workspaceId }, status, startedAt) => {
    const duration = performance.now() - startedAt;
    seconds.record(duration / 1_000, { method, route, status });
    if (!log.isLevelEnabled('info')) return;
    const ms = Math.round(duration * 10) / 10;
    log.info({ requestId, workspaceId, method: sentMethod, route, status, ms }, 'request');
  };
}
