import { systemClock } from './clock.ts';
import type { Clock } from './clock.ts';
import { changingTls } from './grpc-tls.ts';
import { randomIds } from './ids.ts';
import type { Ids } from './ids.ts';
import { createLifecycle } from './lifecycle.ts';
import { createLog } from './log.ts';
import type { Log } from './log.ts';
import { createMetrics } from './metrics.ts';
import { createReadiness } from './readiness.ts';
import type { GrpcTls, ServiceContext } from './service.ts';
import { createTracing } from './tracing.ts';
import { nothingChanges, watchVariables } from './variable-changes.ts';

export type { ServiceContext };

export interface ServiceContextOptions {
  name: string;
  logLevel?: string | undefined;
  otlpEndpoint?: string | undefined;
  traceRatio?: number | undefined;
  /** The time that one part may take to close. */
  closeLimitMs?: number | undefined;
  clock?: Clock | undefined;
  ids?: Ids | undefined;
  log?: Log | undefined;
  grpcTls?: GrpcTls | undefined;
  /** The files of the variables. Without it, no file is polled for changes. */
  files?: ReadonlyMap<string, { file: string; text: string }> | undefined;
}

export function createServiceContext(options: ServiceContextOptions): ServiceContext {
  const { name, otlpEndpoint, traceRatio, closeLimitMs, clock = systemClock, ids = randomIds } = options;
  const log = options.log ?? createLog(name, options.logLevel ?? 'info');
  const lifecycle = createLifecycle(log, closeLimitMs);
  const tracing = createTracing({ service: name, endpoint: otlpEndpoint, ratio: traceRatio });
  // It opens first and so closes last, so that spans of the closing itself are still sent.
  if (tracing.enabled) lifecycle.add('tracing', () => tracing.close());
  const changes = options.files ? watchVariables(options.files, { clock, log }) : nothingChanges;
  lifecycle.add('files of variables', () => changes.close());
  return {
    name,
    log,
    clock,
    ids,
    lifecycle,
    tracing,
    metrics: createMetrics(name),
    readiness: createReadiness(),
    changes,
    grpcTls: options.grpcTls && changingTls(options.grpcTls, changes),
  };
}
