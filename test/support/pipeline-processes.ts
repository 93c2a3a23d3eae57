import { addressesOf, choosePorts } from '@postroom/local/ports';
import { SERVICES, type ServiceName } from '@postroom/local/services';
import { openMailStore } from '@postroom/mail-store/connection';
import { migrate } from '@postroom/mail-store/migrations/migrate';
import { MailboxWriteServiceDefinition } from '@postroom/proto/postroom/v1/mailbox_write';
import { WorkspaceOperatorServiceDefinition } from '@postroom/proto/postroom/v1/workspace';
import { connect } from '@postroom/rpc/connect';
import { createServiceContext } from '@postroom/runtime/service-context';
import { apiClient } from './client.ts';
import { removeTopics } from './kafka-topics.ts';
import { type ServiceProcess, startServiceProcess } from './service-process.ts';

interface PipelineOptions {
  mongodbUri: string;
  kafkaBrokers: string;
  /** Further variables of every service, such as where mail is sent. */
  variables: Record<string, string>;
  /** The folder whose built services run, instead of these sources. */
  built?: string | undefined;
}

const TOKEN = 'operators';

/** Every service in a process of its own, on one broker and one database, so that each can be killed by itself. */
export async function startPipelineProcesses({ mongodbUri, kafkaBrokers, variables, built }: PipelineOptions) {
  const context = createServiceContext({ name: 'test', logLevel: 'silent' });
  const store = await openMailStore({ uri: mongodbUri, needsSchema: false }, context);
  await migrate(store.connection, context);
  const ports = await choosePorts();
  const addresses = addressesOf(ports);
  const prefix = `pipeline${process.pid}.`;
  const common = {
    MONGODB_URI: mongodbUri,
    KAFKA_BROKERS: kafkaBrokers,
    KAFKA_TOPIC_PREFIX: prefix,
    OPERATOR_TOKEN: TOKEN,
    MAILBOX_ACCESS_TOKEN: TOKEN,
    // That it is open is said at this level.
    LOG_LEVEL: 'info',
    ...addresses,
    ...variables,
  };
  const start = (name: ServiceName) => startServiceProcess(name, { ...common, ...ports[name] }, built);
  const processes = new Map<ServiceName, ServiceProcess>();
  // Three at a time: each compiles what it loads, and all of them at once would starve each other.
  for (let at = 0; at < SERVICES.length; at += 3) {
    const some = SERVICES.slice(at, at + 3);
    for (const [name, process] of await Promise.all(some.map(async (name) => [name, await start(name)] as const)))
      processes.set(name, process);
  }
  const workspaces = connect(WorkspaceOperatorServiceDefinition, addresses.WORKSPACE_OPERATOR_ADDR, {
    context,
    token: TOKEN,
  });
  const mailboxWrite = connect(MailboxWriteServiceDefinition, addresses.MAILBOX_WRITE_ADDR, { context });
  return {
    collections: store.collections,
    workspaces,
    mailboxWrite,
    addresses,
    prefix,
    operatorToken: TOKEN,
    processes,
    client: (key?: string) => apiClient(`http://${addresses.GATEWAY_ADDR}/api/v1`, key),
    /** As a crash, and as Kubernetes after it. */
    killAndRestart: async (name: ServiceName) => {
      await processes.get(name)?.kill();
      processes.set(name, await start(name));
    },
    close: async () => {
      await Promise.all([...processes.values()].map((process) => process.kill()));
      await removeTopics(kafkaBrokers.split(','), prefix);
      await store.connection.dropDatabase();
      await context.lifecycle.close();
    },
  };
}

export type PipelineProcesses = Awaited<ReturnType<typeof startPipelineProcesses>>;
