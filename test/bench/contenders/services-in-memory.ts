import { MailboxReadServiceDefinition } from '@postroom/proto/postroom/v1/mailbox_read';
import { Page } from '@postroom/proto/postroom/v1/resources';
import {
  ApiKey,
  ResolveKeyResponse,
  Workspace,
  WorkspaceServiceDefinition,
} from '@postroom/proto/postroom/v1/workspace';
import { implement, type GenericDefinition, type Handlers } from '@postroom/rpc/definition';
import { serve } from '@postroom/rpc/serve';
import { makeHeapRoomy } from '@postroom/runtime/heap';
import { createServiceContext } from '@postroom/runtime/service-context';
import { pageOfFifty } from '../page.ts';
import { announce, USUAL_HEAP } from './report.ts';

if (!process.argv.includes(USUAL_HEAP)) makeHeapRoomy();

// The services answer from memory, because the bench measures the gateway and its rpcs, not the database.
const json = Buffer.from(JSON.stringify(pageOfFifty()));
const createdAt = new Date().toISOString();

/** Every key is known, and opens a workspace of its own. */
function resolveKey(hash: string): ResolveKeyResponse {
  return ResolveKeyResponse.create({
    key: ApiKey.create({ id: `key_${hash}`, name: 'bench', scopes: ['read'], createdAt }),
    workspace: Workspace.create({ id: `wsp_${hash}`, name: 'bench', plan: 'expert', planInForce: 'expert', createdAt }),
  });
}

/** The rpcs that the bench calls; the others answer UNIMPLEMENTED. */
const only = <D extends GenericDefinition>(definition: D, handlers: Partial<Handlers<D>>) =>
  implement(
    definition,
    handlers as Handlers<D>,
    Object.keys(definition.methods).filter((name) => !(name in handlers)),
  );

void serve({
  address: '127.0.0.1:0',
  services: [
    only(MailboxReadServiceDefinition, { listEmails: async () => Page.create({ json }) }),
    only(WorkspaceServiceDefinition, { resolveKey: async ({ secretHash }) => resolveKey(secretHash) }),
  ],
  context: createServiceContext({ name: 'bench', logLevel: 'silent' }),
}).then(({ port }) => announce({ address: `127.0.0.1:${port}` }));
