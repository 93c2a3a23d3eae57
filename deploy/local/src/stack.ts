import { randomBytes } from 'node:crypto';
import type { Feature } from '@postroom/contract/lists';
import type { Bus } from '@postroom/events/bus';
import type { Clock } from '@postroom/runtime/clock';
import type { Ids } from '@postroom/runtime/ids';
import type { ServiceContext, ServiceDefinition } from '@postroom/runtime/service';
import { openContext } from './open-context.ts';
import { addressesOf, choosePorts, type Ports } from './ports.ts';
import {
  type Addresses,
  addressVariable,
  loadService,
  operatorAddressVariable,
  SERVICES,
  type ServiceName,
} from './services.ts';
import { wordModelVariables } from './word-model/word-model.ts';

export interface StackOptions {
  mongodbUri: string;
  kafkaBrokers?: string | undefined;
  redisUrl?: string | undefined;
  /** The closed parts of the API that are opened. */
  features?: readonly Feature[];
  /** Further variables of the services, by their names. Without LLM_BASE_URL the word model answers. */
  variables?: Readonly<Record<string, unknown>>;
  otlpEndpoint?: string;
  /** 0 for a free one. */
  httpPort?: number;
  mcpPort?: number;
  /** Of the app; 0 for a free one. */
  appPort?: number;
  logLevel?: string;
  clock?: Clock | ((service: ServiceName) => Clock);
  ids?: Ids;
  /** The bus of this process, where no broker is named. */
  bus?: Bus | undefined;
  /** Services that are left out: a test opens its own, or nothing needs them. */
  without?: readonly ServiceName[];
}

export interface Stack {
  baseUrl: string;
  docsUrl: string;
  mcpUrl: string;
  /** People sign in there. The address names localhost, because passkeys refuse addresses by number. */
  appUrl: string;
  addresses: Addresses;
  /** The token of the admin API, new for each stack. */
  operatorToken: string;
  close(): Promise<void>;
}

interface Service {
  name: ServiceName;
  definition: ServiceDefinition<unknown, unknown>;
  ports: Ports;
  context: ServiceContext;
}

const HOST = '127.0.0.1';

/** Every service of the system in this process, each behind its own socket. */
export async function openStack(options: StackOptions): Promise<Stack> {
  const ports = await choosePorts({
    gateway: options.httpPort ?? 0,
    app: options.appPort ?? 0,
    mcp: options.mcpPort ?? 0,
  });
  const names = SERVICES.filter((name) => !options.without?.includes(name));
  const services = names.map((name) => prepare(name, ports[name], options));
  const addresses = addressesInUse(services, addressesOf(ports));
  // The last of the table is the first to stop taking work.
  const close = async () => {
    for (const { context } of services.reverse().splice(0)) {
      context.readiness.drain();
      await context.lifecycle.close();
    }
  };

  const operatorToken = randomBytes(32).toString('hex');
  const api = `http://${HOST}:${ports.gateway.HTTP_PORT}`;
  const app = `http://localhost:${ports.app.HTTP_PORT}`;
  const mcpUrl = `http://${HOST}:${ports.mcp.HTTP_PORT}/mcp`;
  const urls = { APP_URL: app, API_URL: `${api}/api/v1`, MCP_URL: mcpUrl };
  try {
    // The first failure ends the opening: another service may wait for ever for the one that failed.
    const unused = addressesOf(ports);
    const model = options.variables?.['LLM_BASE_URL'] ? {} : await wordModelVariables();
    const shared = { ...unused, ...sharedEnvironment(options, { ...addresses, ...urls }, operatorToken), ...model };
    await Promise.all(openAfterCallees(services, shared));
  } catch (error) {
    await close();
    throw error;
  }
  const appUrl = `${app}/app`;
  return { baseUrl: `${api}/api/v1`, docsUrl: `${api}/docs`, appUrl, mcpUrl, addresses, operatorToken, close };
}

function prepare(name: ServiceName, ports: Ports, options: StackOptions): Service {
  const { logLevel, otlpEndpoint, ids, bus } = options;
  const clock = typeof options.clock === 'function' ? options.clock(name) : options.clock;
  const context = { ...openContext({ name, logLevel, otlpEndpoint, clock, ids }), bus };
  return { name, definition: loadService(name), ports, context };
}

/** The addresses that exist: a consumer of events serves nothing, and few services have an admin API. */
function addressesInUse(services: readonly Service[], addresses: Addresses): Addresses {
  const names = services.flatMap(({ name, definition: { config } }) => [
    ...('GRPC_PORT' in config.shape || 'HTTP_PORT' in config.shape ? [addressVariable(name)] : []),
    ...('OPERATOR_PORT' in config.shape ? [operatorAddressVariable(name)] : []),
  ]);
  return Object.fromEntries(names.map((name) => [name, addresses[name]])) as Addresses;
}

/** All at once, except that a caller waits for whom it calls: refused once, a connection rests for a second. */
function openAfterCallees(services: readonly Service[], shared: Record<string, unknown>): Promise<unknown>[] {
  const openings = new Map<ServiceName, Promise<unknown>>();
  for (const { name, definition, ports, context } of services) {
    const callees = [...openings].filter(([callee]) => addressVariable(callee) in definition.config.shape);
    const opening = Promise.all(callees.map(([, opened]) => opened)).then(() =>
      definition.open(definition.config.parse({ ...shared, ...ports }), context),
    );
    openings.set(name, opening);
  }
  return [...openings.values()];
}

function sharedEnvironment(
  options: StackOptions,
  addresses: Addresses & Readonly<Record<'APP_URL' | 'API_URL' | 'MCP_URL', string>>,
  operatorToken: string,
): Record<string, unknown> {
  const { mongodbUri, kafkaBrokers, redisUrl, otlpEndpoint, variables } = options;
  return {
    // One event loop runs all services here, so its delay tells nothing about the load of the gateway.
    MAX_LAG: '60s',
    FEATURES: options.features ?? [],
    // Somebody who tries it out wants to see a call at once.
    USAGE_FLUSH: '1s',
    MAILBOX_ACCESS_TOKEN: randomBytes(32).toString('hex'),
    APP_TOKEN: randomBytes(32).toString('hex'),
    MCP_TOKEN: randomBytes(32).toString('hex'),
    // The app answers for the authorization server.
    OAUTH_ISSUER: addresses.APP_URL,
    ...variables,
    MONGODB_URI: mongodbUri,
    HOST,
    ...addresses,
    OPERATOR_TOKEN: operatorToken,
    ...(kafkaBrokers && { KAFKA_BROKERS: kafkaBrokers }),
    ...(redisUrl && { REDIS_URL: redisUrl }),
    ...(otlpEndpoint && { OTEL_EXPORTER_OTLP_ENDPOINT: otlpEndpoint }),
  };
}
