import { randomBytes } from 'node:crypto';
import type { Bus } from '@postroom/events/bus';
import type { Clock } from '@postroom/runtime/clock';
import type { Ids } from '@postroom/runtime/ids';
import type { ServiceContext, ServiceDefinition } from '@postroom/runtime/service';
import { freePort } from './free-port.ts';
import { openContext } from './open-context.ts';
import {
  addressVariable,
  loadService,
  OPERATOR_ADDRESS,
  SERVICES,
  type Addresses,
  type ServiceName,
} from './services.ts';

export interface StackOptions {
  mongodbUri: string;
  kafkaBrokers?: string | undefined;
  redisUrl?: string | undefined;
  /** Further variables of the services, by their names. */
  variables?: Readonly<Record<string, unknown>>;
  otlpEndpoint?: string;
  /** 0 for a free one. */
  httpPort?: number;
  logLevel?: string;
  clock?: Clock;
  ids?: Ids;
  /** The bus of this process, where no broker is named. */
  bus?: Bus | undefined;
}

export interface Stack {
  baseUrl: string;
  docsUrl: string;
  addresses: Addresses;
  /** What opens the operators' door, made anew with every stack. */
  operatorToken: string;
  close(): Promise<void>;
}

interface Service {
  name: ServiceName;
  definition: ServiceDefinition<unknown, unknown>;
  port: number;
  /** Of those that have a second door. */
  operatorPort: number | undefined;
  context: ServiceContext;
}

const HOST = '127.0.0.1';

/** Every service of the system in this process, each behind its own socket. */
export async function openStack(options: StackOptions): Promise<Stack> {
  const services = await Promise.all(SERVICES.map((name) => prepare(name, options)));
  const addresses = addressesOf(services);
  // The last of the table is the first to stop taking work.
  const close = async () => {
    for (const { context } of services.reverse().splice(0)) {
      context.readiness.drain();
      await context.lifecycle.close();
    }
  };

  const operatorToken = randomBytes(32).toString('hex');
  const gatewayPort = services.find(({ name }) => name === 'gateway')?.port;
  const opened = await Promise.allSettled(
    openAfterCallees(services, sharedEnvironment(options, addresses, operatorToken)),
  );
  const failed = opened.find((opening) => opening.status === 'rejected');
  if (failed) {
    await close();
    throw failed.reason;
  }
  const origin = `http://${HOST}:${gatewayPort}`;
  return { baseUrl: `${origin}/api/v1`, docsUrl: `${origin}/docs`, addresses, operatorToken, close };
}

async function prepare(name: ServiceName, options: StackOptions): Promise<Service> {
  const { logLevel, otlpEndpoint, clock, ids, bus, httpPort } = options;
  const definition = loadService(name);
  return {
    name,
    definition,
    port: ('HTTP_PORT' in definition.config.shape && httpPort) || (await freePort(0)),
    operatorPort: 'OPERATOR_PORT' in definition.config.shape ? await freePort(0) : undefined,
    context: { ...openContext({ name, logLevel, otlpEndpoint, clock, ids }), bus },
  };
}

/** Known before anything is open, so that services may call each other in any direction. */
function addressesOf(services: readonly Service[]): Addresses {
  const called = services.filter(({ definition }) => 'GRPC_PORT' in definition.config.shape);
  const operatorPort = services.find(({ name }) => name === 'workspace')?.operatorPort;
  return {
    ...(Object.fromEntries(called.map(({ name, port }) => [addressVariable(name), `${HOST}:${port}`])) as Addresses),
    [OPERATOR_ADDRESS]: `${HOST}:${operatorPort}`,
  };
}

/** All at once, except that a caller waits for whom it calls: refused once, a connection rests for a second. */
function openAfterCallees(services: readonly Service[], shared: Record<string, unknown>): Promise<unknown>[] {
  const openings = new Map<ServiceName, Promise<unknown>>();
  for (const { name, definition, port, operatorPort, context } of services) {
    const callees = [...openings].filter(([callee]) => addressVariable(callee) in definition.config.shape);
    const ports = { GRPC_PORT: String(port), HTTP_PORT: String(port), OPERATOR_PORT: String(operatorPort ?? 0) };
    const opening = Promise.all(callees.map(([, opened]) => opened)).then(() =>
      definition.open(definition.config.parse({ ...shared, ...ports }), context),
    );
    openings.set(name, opening);
  }
  return [...openings.values()];
}

function sharedEnvironment(
  options: StackOptions,
  addresses: Addresses,
  operatorToken: string,
): Record<string, unknown> {
  const { mongodbUri, kafkaBrokers, redisUrl, otlpEndpoint, variables } = options;
  return {
    // One loop carries every service here: that it is late tells nothing about the gateway's own load.
    MAX_LAG: '60s',
    ...variables,
    MONGODB_URI: mongodbUri,
    HOST,
    ...addresses,
    OPERATOR_TOKEN: operatorToken,
    MAILBOX_ACCESS_TOKEN: randomBytes(32).toString('hex'),
    ...(kafkaBrokers && { KAFKA_BROKERS: kafkaBrokers }),
    ...(redisUrl && { REDIS_URL: redisUrl }),
    ...(otlpEndpoint && { OTEL_EXPORTER_OTLP_ENDPOINT: otlpEndpoint }),
  };
}
