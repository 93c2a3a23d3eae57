import type { Clock } from './clock.ts';
import type { ConfigSchema } from './config.ts';
import type { Ids } from './ids.ts';
import type { Lifecycle } from './lifecycle.ts';
import type { Log } from './log.ts';
import type { Metrics } from './metrics.ts';
import type { Readiness } from './readiness.ts';
import type { Tracing } from './tracing.ts';
import type { VariableChanges } from './variable-changes.ts';

/** The parts of the process that any part of a service may need. They are passed as arguments. */
export interface ServiceContext {
  name: string;
  log: Log;
  clock: Clock;
  ids: Ids;
  lifecycle: Lifecycle;
  metrics: Metrics;
  tracing: Tracing;
  readiness: Readiness;
  /** Reports variables whose files changed, such as a new password. */
  changes: VariableChanges;
  /** Without it services use gRPC without TLS. */
  grpcTls?: GrpcTls | undefined;
}

/** PEM of the certificate and key of this process, and of the authority behind all certificates. */
export interface GrpcTls {
  readonly cert: string;
  readonly key: string;
  readonly ca: string;
  /** Notifies the users of the certificates that their files changed. */
  onChange?(listener: () => void): void;
}

/** A service as data, so that its own process, the local all-in-one process and a test open the same service. */
export interface ServiceDefinition<C, O = { port: number }> {
  name: string;
  config: ConfigSchema<C>;
  /** The types of the events that it consumes, in a group of its own name. */
  consumes?: readonly string[];
  /** Adds what it opens to the context's lifecycle and resolves once it serves. */
  open(config: C, context: ServiceContext): Promise<O>;
}

/** Lets the compiler infer what a definition's configuration and result are. */
export function defineService<C, O>(definition: ServiceDefinition<C, O>): ServiceDefinition<C, O> {
  return definition;
}
