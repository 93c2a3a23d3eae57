import { addressesOf, choosePorts } from '@postroom/local/ports';
import { SERVICES, type ServiceName } from '@postroom/local/services';
import { type MailStore, openMailStore } from '@postroom/mail-store/connection';
import { migrate } from '@postroom/mail-store/migrations/migrate';
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
  const { addresses, processes } = await startAll(uri);
  const { GATEWAY_ADDR, MAILBOX_WRITE_ADDR, WORKSPACE_OPERATOR_ADDR } = addresses;
  const baseUrl = `http://${GATEWAY_ADDR}/api/v1`;
  const workspaces = connect(WorkspaceOperatorServiceDefinition, WORKSPACE_OPERATOR_ADDR, { context, token: TOKEN });
  const mailboxWrite = connect(MailboxWriteServiceDefinition, MAILBOX_WRITE_ADDR, { context });
  const client = (key?: string) => apiClient(baseUrl, key);
  return {
    baseUrl,
    mailboxWrite: MAILBOX_WRITE_ADDR,
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
  const ports = await choosePorts();
  const addresses = addressesOf(ports);
  const start = async (name: ServiceName) => {
    const env = {
      ...addresses,
      MONGODB_URI: uri,
      OPERATOR_TOKEN: TOKEN,
      MAILBOX_ACCESS_TOKEN: TOKEN,
      ...ports[name],
      NODE_OPTIONS: chartMemory(name).heapFlag,
    };
    return [name, await startServiceProcess(name, env)] as const;
  };
  return { addresses, processes: new Map(await Promise.all(SERVICES.map(start))) };
}
