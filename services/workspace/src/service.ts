import { openMailStore } from '@postroom/mail-store/connection';
import { storeSettings } from '@postroom/mail-store/store-fields';
import { WorkspaceServiceDefinition } from '@postroom/proto/postroom/v1/workspace';
import { implement } from '@postroom/rpc/definition';
import { serve } from '@postroom/rpc/serve';
import { serverAddress } from '@postroom/rpc/server-fields';
import { defineService } from '@postroom/runtime/service';
import { config } from './config.ts';
import { createDirectoryStore } from './directory-store.ts';
import { createHandlers } from './handlers.ts';
import { createKeyStore } from './key-store.ts';
import { createMailboxStore } from './mailbox-store.ts';
import { createSignatureStore } from './signature-store.ts';
import { createWorkspaceStore } from './workspace-store.ts';

export const service = defineService({
  name: 'workspace',
  config,
  async open(settings, context) {
    const { collections } = await openMailStore(storeSettings(settings), context);
    const handlers = createHandlers({
      context,
      directory: createDirectoryStore(collections),
      workspaces: createWorkspaceStore(collections),
      keys: createKeyStore(collections),
      mailboxes: createMailboxStore(collections),
      signatures: createSignatureStore(collections),
    });
    const services = [implement(WorkspaceServiceDefinition, handlers)];
    return serve({ address: serverAddress(settings), services, context });
  },
});
