import { freePort } from '@postroom/local/free-port';
import { addressVariable, SERVICES, type Addresses, type ServiceName } from '@postroom/local/services';
import { type MailStore, openMailStore } from '@postroom/mail-store/connection';
import { migrate } from '@postroom/mail-store/migrate';
import { MailboxWriteServiceDefinition } from '@postroom/proto/postroom/v1/mailbox_write';
import { WorkspaceOperatorServiceDefinition } from '@postroom/proto/postroom/v1/workspace';
import { connect } from '@postroom/rpc/connect';
import { createServiceContext } from '@postroom/runtime/service-context';
import { apiClient } from '../../support/client.ts';
import { type ServiceProcess, startServiceProcess } from '../../support/service-process.ts';
import { createTestWorkspace, type TestWorkspace } from '../../support/workspace.ts';
import { chartMemory } from './chart-memory.ts';

export interface World {
  baseUrl: string;
  mailboxWrite: string;
  store: MailStore;
  processes: ReadonlyMap<ServiceName, ServiceProcess>;
  workspace(): Promise<TestWorkspace>;
  close(): Promise<void>;
}

const TOKEN = 'operators';

/** Every service as a cluster runs it, in a process of its own with the heap that the chart gives it. */
export async function openWorld(uri: string): Promise<World> {
  const context = createServiceContext({ name: 'test', logLevel: 'silent' });
  const store = await openMailStore({ uri, needsSchema: false }, context);
  await migrate(store.connection, context);
  const { at, processes } = await startAll(uri);
  const baseUrl = `http://${at('gateway')}/api/v1`;
  const workspaces = connect(WorkspaceOperatorServiceDefinition, at('operators'), { context, token: TOKEN });
  const mailboxWrite = connect(MailboxWriteServiceDefinition, at('mailbox-write'), { context });
  const client = (key?: string) => apiClient(baseUrl, key);
  return {
    baseUrl,
    mailboxWrite: at('mailbox-write'),
    store,
    processes,
    workspace: () => createTestWorkspace({ workspaces, mailboxWrite, client }),
    close: async () => {
      await Promise.all([...processes.values()].map((one) => one.kill()));
      await store.connection.dropDatabase();
      await context.lifecycle.close();
    },
  };
}

async function startAll(uri: string) {
  const names = [...SERVICES, 'operators'];
  const ports = new Map(await Promise.all(names.map(async (name) => [name, await freePort(0)] as const)));
  const at = (name: string) => `127.0.0.1:${ports.get(name)}`;
  const addresses = {
    ...(Object.fromEntries(SERVICES.map((name) => [addressVariable(name), at(name)])) as unknown as Addresses),
    WORKSPACE_OPERATOR_ADDR: at('operators'),
  };
  const start = async (name: ServiceName) => {
    const port = String(ports.get(name));
    const env = {
      ...addresses,
      MONGODB_URI: uri,
      OPERATOR_TOKEN: TOKEN,
      GRPC_PORT: port,
      HTTP_PORT: port,
      OPERATOR_PORT: String(ports.get('operators')),
      NODE_OPTIONS: chartMemory(name).heapFlag,
    };
    return [name, await startServiceProcess(name, env)] as const;
  };
  return { at, processes: new Map(await Promise.all(SERVICES.map(start))) };
}
