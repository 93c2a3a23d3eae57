import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { memoryBus } from '@postroom/events/memory-bus';
import { openMailStore } from '@postroom/mail-store/connection';
import { migrate } from '@postroom/mail-store/migrations/migrate';
import {
  MailboxAccessServiceDefinition,
  WorkspaceAppServiceDefinition,
  WorkspaceOperatorServiceDefinition,
} from '@postroom/proto/postroom/v1/workspace';
import { connect } from '@postroom/rpc/connect';
import type { Clock } from '@postroom/runtime/clock';
import { silentLog, type Log } from '@postroom/runtime/log';
import { createServiceContext } from '@postroom/runtime/service-context';
import { makeFirstKey } from '@postroom/secrets/key-folder';
import { freshDatabaseUri } from './database.ts';
import { service } from '@postroom/workspace/service';

export type OperatorPort = Awaited<ReturnType<typeof openOperatorPort>>;

export const server = (password: string) => ({ imapAddress: 'h:993', smtpAddress: 'h:465', user: 'u', password });

interface OperatorPortOptions {
  clock?: Clock;
  log?: Log;
  /** Further variables of the service. */
  variables?: Readonly<Record<string, string>>;
}

/** The workspace service with both its ports, and the tokens of both. */
export async function openOperatorPort({ clock, log = silentLog, variables: more }: OperatorPortOptions = {}) {
  const context = createServiceContext({ name: 'workspace', log, ...(clock && { clock }) });
  const bus = memoryBus(context);
  const uri = freshDatabaseUri();
  const { collections, connection } = await openMailStore({ uri, needsSchema: false }, context);
  await migrate(connection, context);
  const keys = await mkdtemp(join(tmpdir(), 'postroom-keys-'));
  await makeFirstKey(keys, '2026-01-01');
  const variables = {
    MONGODB_URI: uri,
    HOST: '127.0.0.1',
    GRPC_PORT: 0,
    OPERATOR_PORT: 0,
    OPERATOR_TOKEN: 'operators',
    MAILBOX_ACCESS_TOKEN: 'sync',
    APP_TOKEN: 'app',
    SECRET_KEYS: keys,
    ...more,
  };
  const addresses = { ordinary: '', second: '' };
  /** Another time it is the same service started anew. */
  const open = async () => {
    const { port, operatorPort } = await service.open(service.config.parse(variables), { ...context, bus });
    addresses.ordinary = `127.0.0.1:${port}`;
    addresses.second = `127.0.0.1:${operatorPort}`;
  };
  await open();
  return {
    context,
    bus,
    collections,
    keys,
    open,
    get ordinary() {
      return addresses.ordinary;
    },
    operators: (token = 'operators', address = addresses.second) =>
      connect(WorkspaceOperatorServiceDefinition, address, { context, token }),
    access: (token = 'sync') => connect(MailboxAccessServiceDefinition, addresses.second, { context, token }),
    app: (token = 'app') => connect(WorkspaceAppServiceDefinition, addresses.ordinary, { context, token }),
    close: async () => {
      await context.lifecycle.close();
      await rm(keys, { recursive: true });
    },
  };
}
