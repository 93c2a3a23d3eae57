import { openMailStore } from '@postroom/mail-store/connection';
import { storeSettings } from '@postroom/mail-store/store-fields';
import {
  MailboxAccessServiceDefinition,
  WorkspaceOperatorServiceDefinition,
  WorkspaceServiceDefinition,
} from '@postroom/proto/postroom/v1/workspace';
import { implement } from '@postroom/rpc/definition';
import { serve } from '@postroom/rpc/serve';
import { serverAddress } from '@postroom/rpc/server-fields';
import { withToken } from '@postroom/rpc/token';
import { defineService, type ServiceContext } from '@postroom/runtime/service';
import { config, type Config } from './config.ts';
import { createCredentialStore, createSealedStore } from './credential-store.ts';
import type { Deps } from './deps.ts';
import { createDirectoryStore } from './directory-store.ts';
import { createHandlers, createOperatorHandlers } from './handlers.ts';
import { createKeyStore } from './key-store.ts';
import { accessHandlers } from './mailbox-access.ts';
import { createMailboxStore } from './mailbox-store.ts';
import { startSealing } from './secrets.ts';
import { createSignatureStore } from './signature-store.ts';
import { openVault } from './vault.ts';
import { createWorkspaceStore } from './workspace-store.ts';

export const service = defineService({
  name: 'workspace',
  config,
  async open(settings, context) {
    const { collections } = await openMailStore(storeSettings(settings), context);
    const deps: Deps = {
      context,
      directory: createDirectoryStore(collections),
      workspaces: createWorkspaceStore(collections),
      keys: createKeyStore(collections),
      mailboxes: createMailboxStore(collections),
      signatures: createSignatureStore(collections),
      credentials: createCredentialStore(collections),
      sealed: createSealedStore(collections),
      vault: openVault(settings.SECRET_KEYS),
    };
    startSealing(deps, context);
    const operatorPort = await openSecondDoor(settings, deps, context);
    const services = [implement(WorkspaceServiceDefinition, createHandlers(deps))];
    const { port } = await serve({ address: serverAddress(settings), services, context });
    return { port, operatorPort };
  },
});

/** For operators and for the services that log in, each by a token of its own. */
async function openSecondDoor(settings: Config, deps: Deps, context: ServiceContext): Promise<number | undefined> {
  const { HOST, OPERATOR_PORT, OPERATOR_TOKEN, MAILBOX_ACCESS_TOKEN } = settings;
  const operators = implement(WorkspaceOperatorServiceDefinition, createOperatorHandlers(deps));
  const access = implement(MailboxAccessServiceDefinition, accessHandlers(deps));
  const services = [
    ...(OPERATOR_TOKEN ? [withToken(operators, OPERATOR_TOKEN)] : []),
    ...(MAILBOX_ACCESS_TOKEN ? [withToken(access, MAILBOX_ACCESS_TOKEN)] : []),
  ];
  if (!OPERATOR_TOKEN) context.log.info('no OPERATOR_TOKEN: operators are not served');
  if (services.length === 0) return undefined;
  return (await serve({ address: `${HOST}:${OPERATOR_PORT}`, services, context })).port;
}
