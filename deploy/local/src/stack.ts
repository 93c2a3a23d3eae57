import type { Bus } from '@postroom/events/bus';
import { service as gateway } from '@postroom/gateway/service';
import { service as labelRule } from '@postroom/label-rule/service';
import { service as mailboxRead } from '@postroom/mailbox-read/service';
import { service as mailboxWrite } from '@postroom/mailbox-write/service';
import type { Clock } from '@postroom/runtime/clock';
import type { Ids } from '@postroom/runtime/ids';
import type { ServiceContext } from '@postroom/runtime/service';
import { createServiceContext } from '@postroom/runtime/service-context';
import { service as viewFilter } from '@postroom/view-filter/service';
import { service as workspace } from '@postroom/workspace/service';

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

export interface Addresses {
  workspace: string;
  viewFilter: string;
  mailboxWrite: string;
  mailboxRead: string;
  labelRule: string;
}

export interface Stack {
  baseUrl: string;
  docsUrl: string;
  addresses: Addresses;
  close(): Promise<void>;
}

const HOST = '127.0.0.1';
const LOCAL_LAG = '60s';

/** Every service of the system in this process, each behind its own socket, in the order of who calls whom. */
export async function openStack(options: StackOptions): Promise<Stack> {
  const opened: ServiceContext[] = [];
  const shared = sharedEnvironment(options);
  const contextOf = (name: string) => {
    const context = createServiceContext({
      name,
      logLevel: options.logLevel ?? 'warn',
      otlpEndpoint: options.otlpEndpoint,
      clock: options.clock,
      ids: options.ids,
    });
    opened.push(context);
    return context;
  };
  // The last opened is the first to stop taking work.
  const close = async () => {
    for (const context of opened.reverse().splice(0)) {
      context.readiness.drain();
      await context.lifecycle.close();
    }
  };

  try {
    const addresses = await openServices(shared, contextOf, options.bus);
    const http = await gateway.open(
      gateway.config.parse({
        ...shared,
        ...asVariables(addresses),
        HTTP_PORT: String(options.httpPort ?? 0),
        // One loop carries every service here: that it is late tells nothing about the gateway's own load.
        MAX_LAG: LOCAL_LAG,
      }),
      contextOf('gateway'),
    );
    const origin = `http://${HOST}:${http.port}`;
    return { baseUrl: `${origin}/api/v1`, docsUrl: `${origin}/docs`, addresses, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function openServices(
  shared: Record<string, unknown>,
  contextOf: (name: string) => ServiceContext,
  bus: Bus | undefined,
): Promise<Addresses> {
  const at = ({ port }: { port: number }) => `${HOST}:${port}`;
  const parse = <C>(service: { config: { parse(value: unknown): C } }, more: Record<string, string> = {}) =>
    service.config.parse({ ...shared, ...more });

  const [workspaceAddress, viewFilterAddress, mailboxReadAddress, mailboxWriteAddress] = (
    await Promise.all([
      workspace.open(parse(workspace), contextOf('workspace')),
      viewFilter.open(parse(viewFilter), contextOf('view-filter')),
      mailboxRead.open(parse(mailboxRead), contextOf('mailbox-read')),
      mailboxWrite.open(parse(mailboxWrite), contextOf('mailbox-write'), { bus }),
    ])
  ).map(at) as [string, string, string, string];
  const callees = { MAILBOX_WRITE_ADDR: mailboxWriteAddress, VIEW_FILTER_ADDR: viewFilterAddress };
  const labelRuleAddress = at(await labelRule.open(parse(labelRule, callees), contextOf('label-rule')));
  return {
    workspace: workspaceAddress,
    viewFilter: viewFilterAddress,
    mailboxRead: mailboxReadAddress,
    mailboxWrite: mailboxWriteAddress,
    labelRule: labelRuleAddress,
  };
}

function sharedEnvironment(options: StackOptions): Record<string, unknown> {
  const { mongodbUri, kafkaBrokers, redisUrl, otlpEndpoint, variables } = options;
  return {
    ...variables,
    MONGODB_URI: mongodbUri,
    HOST,
    GRPC_PORT: '0',
    ...(kafkaBrokers && { KAFKA_BROKERS: kafkaBrokers }),
    ...(redisUrl && { REDIS_URL: redisUrl }),
    ...(otlpEndpoint && { OTEL_EXPORTER_OTLP_ENDPOINT: otlpEndpoint }),
  };
}

const asVariables = (addresses: Addresses) => ({
  WORKSPACE_ADDR: addresses.workspace,
  VIEW_FILTER_ADDR: addresses.viewFilter,
  MAILBOX_READ_ADDR: addresses.mailboxRead,
  MAILBOX_WRITE_ADDR: addresses.mailboxWrite,
  LABEL_RULE_ADDR: addresses.labelRule,
});
