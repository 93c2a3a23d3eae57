import type { Clock } from './clock.ts';
import type { ConfigSchema } from './config.ts';
import type { Ids } from './ids.ts';
import type { Lifecycle } from './lifecycle.ts';
import type { Log } from './log.ts';
import type { Metrics } from './metrics.ts';
import type { Readiness } from './readiness.ts';
import type { Tracing } from './tracing.ts';
import type { VariableChanges } from './variable-changes.ts';

/** What every part of a service may need from the process it runs in, passed by hand. */
export interface ServiceContext {
  name: string;
  log: Log;
  clock: Clock;
  ids: Ids;
  lifecycle: Lifecycle;
  metrics: Metrics;
  tracing: Tracing;
  readiness: Readiness;
  /** Tells of variables whose files say something new, such as another password. */
  changes: VariableChanges;
  /** Without it services speak gRPC in the clear. */
  grpcTls?: GrpcTls | undefined;
}

/** PEM of this process's certificate and key, and of the authority behind everybody's. */
export interface GrpcTls {
  readonly cert: string;
  readonly key: string;
  readonly ca: string;
  /** Tells whoever has them in use that their files say something new. */
  onChange?(listener: () => void): void;
}

/** A service as data, so that a process of its own, the local all-in-one and a test open the very same thing. */
export interface ServiceDefinition<C, O = { port: number }> {
  name: string;
  config: ConfigSchema<C>;
  /** Adds what it opens to the context's lifecycle and resolves once it serves. */
  open(config: C, context: ServiceContext): Promise<O>;
}

/** Lets the compiler infer what a definition's configuration and result are. */
export function defineService<C, O>(definition: ServiceDefinition<C, O>): ServiceDefinition<C, O> {
  return definition;
}
