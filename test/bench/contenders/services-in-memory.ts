import { MailboxReadServiceDefinition } from '@postroom/proto/postroom/v1/mailbox_read';
import { Page } from '@postroom/proto/postroom/v1/resources';
import { WorkspaceServiceDefinition } from '@postroom/proto/postroom/v1/workspace';
import { serve } from '@postroom/rpc/serve';
import { makeHeapRoomy } from '@postroom/runtime/heap';
import { createServiceContext } from '@postroom/runtime/service-context';
import { pageOfFifty } from '../page.ts';
import { only, resolveKey } from './every-key.ts';
import { announce, USUAL_HEAP } from './report.ts';

if (!process.argv.includes(USUAL_HEAP)) makeHeapRoomy();

// The services answer from memory, because the bench measures the gateway and its rpcs, not the database.
const json = Buffer.from(JSON.stringify(pageOfFifty()));

void serve({
  address: '127.0.0.1:0',
  services: [
    only(MailboxReadServiceDefinition, { listEmails: async () => Page.create({ json }) }),
    only(WorkspaceServiceDefinition, { resolveKey: async ({ secretHash }) => resolveKey(secretHash) }),
  ],
  context: createServiceContext({ name: 'bench', logLevel: 'silent' }),
}).then(({ port }) => announce({ address: `127.0.0.1:${port}` }));
