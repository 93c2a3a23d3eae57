import { z } from 'zod';
import { openAdminServer } from './admin-server.ts';
import { ConfigError, duration, filesBehind, logLevel, port, ratio, readConfig, text, url } from './config.ts';
import type { ConfigSchema } from './config.ts';
import { grpcTlsFields, grpcTlsOf } from './grpc-tls.ts';
import { leave } from './log.ts';
import { addProcessMetrics } from './process-metrics.ts';
import { createServiceContext } from './service-context.ts';
import type { GrpcTls, ServiceContext, ServiceDefinition } from './service.ts';
import { timeLimits } from './time-limits.ts';

/** Variables that every process reads beside the configuration of its service. */
export const processConfig = z.object({
  LOG_LEVEL: logLevel
    .default('info')
    .describe('The least important log lines that are written: `trace`, `debug`, `info`, `warn`, `error` or `fatal`.'),
  HOST: text.optional().describe('The address that the process listens on.'),
  ADMIN_PORT: port.default(9464).describe('The port of `/livez`, `/readyz` and `/metrics`.'),
  OTEL_EXPORTER_OTLP_ENDPOINT: url
    .optional()
    .describe('The address of an OpenTelemetry collector. Without it, nothing is traced.'),
  OTEL_TRACES_SAMPLER_ARG: ratio.default(1).describe('The share of requests that are traced, 0 to 1.'),
  SHUTDOWN_DELAY: duration
    .default(0)
    .describe('The time to keep serving after readiness is off, while load balancers learn of it.'),
  CLOSE_LIMIT: duration.default(timeLimits.closeMs).describe('The time that one part may take to close.'),
  SHUTDOWN_GRACE: duration
    .default(timeLimits.shutdownMs)
    .describe('The time that the whole process may take to close.'),
  ...grpcTlsFields,
});
type ProcessConfig = z.infer<typeof processConfig>;

/** A process of one service: reads its configuration, opens it, and closes it in order when it is told to stop. */
export async function run<C, O>(definition: ServiceDefinition<C, O>): Promise<void> {
  const config = readAll(definition);
  const context = createServiceContext({
    name: definition.name,
    logLevel: config.own.LOG_LEVEL,
    otlpEndpoint: config.own.OTEL_EXPORTER_OTLP_ENDPOINT,
    traceRatio: config.own.OTEL_TRACES_SAMPLER_ARG,
    closeLimitMs: config.own.CLOSE_LIMIT,
    grpcTls: config.grpcTls,
    files: new Map([...filesBehind(processConfig), ...filesBehind(definition.config)]),
  });
  const { log, lifecycle, readiness } = context;
  exitOnUncaught(context);
  stopOnSignal(context, config.own);

  let open = false;
  readiness.add('open', () => {
    if (!open) throw new Error('still opening');
  });
  try {
    // The admin port comes first, so that a service slow to open is seen to be alive and not yet ready.
    const admin = await openAdminServer({ port: config.own.ADMIN_PORT, host: config.own.HOST }, context);
    lifecycle.add('admin server', () => admin.close());
    addProcessMetrics(context.metrics);
    await definition.open(config.service, context);
    open = true;
    log.info({ adminPort: admin.port }, 'open');
  } catch (error) {
    log.fatal({ err: error }, 'could not open');
    await lifecycle.close();
    leave(log, 1);
  }
}

// One error names the faults of both configurations, so both are read before either is refused.
function readAll<C>({ name, config }: { name: string; config: ConfigSchema<C> }): {
  own: ProcessConfig;
  grpcTls: GrpcTls | undefined;
  service: C;
} {
  const faults: string[] = [];
  const attempt = <T>(read: () => T): T | undefined => {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      faults.push(...error.faults);
      return undefined;
    }
  };
  const own = attempt(() => readConfig(processConfig));
  const grpcTls = own && attempt(() => grpcTlsOf(own));
  const service = attempt(() => readConfig(config));
  if (own && service && faults.length === 0) return { own, grpcTls, service };
  process.stderr.write(`${name}: ${new ConfigError(faults).message}\n`);
  process.exit(1);
}

/** A process in an unknown state is safer stopped: another one takes its work, and this one starts again. */
function exitOnUncaught({ log }: ServiceContext): void {
  const exit = (error: unknown) => {
    log.fatal({ err: error }, 'uncaught');
    leave(log, 1);
  };
  process.on('uncaughtException', exit);
  process.on('unhandledRejection', exit);
}

function stopOnSignal({ log, lifecycle, readiness, clock }: ServiceContext, config: ProcessConfig): void {
  let stopping = false;
  const stop = async (signal: string) => {
    if (stopping) {
      log.warn({ signal }, 'a second signal arrived; the process ends at once');
      process.exit(1);
    }
    stopping = true;
    log.info({ signal }, 'stopping');
    setTimeout(() => {
      log.error('not closed within the grace time; the process ends');
      leave(log, 1);
    }, config.SHUTDOWN_DELAY + config.SHUTDOWN_GRACE).unref();
    readiness.drain();
    await clock.sleep(config.SHUTDOWN_DELAY);
    await lifecycle.close();
    log.info('closed');
    leave(log, 0);
  };
  process.on('SIGTERM', (signal) => void stop(signal));
  process.on('SIGINT', (signal) => void stop(signal));
}
