import type { TestStack } from '../support/stack.ts';

/** Their places when nothing is open, and what opens over them. */
export const PAGES = [
  '/',
  '/mailboxes',
  '/views',
  '/views/new',
  '/rules',
  '/keys',
  '/webhooks',
  '/usage',
  '/activity',
  '/people',
];
export const DIALOGS = [
  '/mailboxes?dialog=connect',
  '/keys?dialog=create',
  '/rules?dialog=rule',
  '/rules?dialog=forward',
  '/rules?dialog=filter',
  '/people?dialog=invite',
];

/** One of everything that lists show. */
export async function fillWorkspace(stack: TestStack, workspaceId: string): Promise<void> {
  const request = { workspaceId, aliases: [], withoutTrash: false };
  await stack.workspaces.connectMailbox({ ...request, email: 'someone.with.a.long.name@acme.example' }, {});
  await stack.workspaces.createKey(
    { workspaceId, name: 'crm', scopes: ['read', 'write'], allowOutboundSend: true },
    {},
  );
  const { secret } = await stack.workspaces.createKey(
    { workspaceId, name: 'made', scopes: ['read', 'write'], allowOutboundSend: true },
    {},
  );
  const client = stack.client(secret);
  const bodies: Readonly<Record<string, object>> = {
    '/views': { name: 'Unread', icon: '📬', filters: { id: 'c', label: 'read_status', type: 'is_false', value: '' } },
    '/ai-label-rules': { name: 'Invoices', color: 'Blue', condition: 'It is an invoice', autoDraftEnabled: true },
    '/auto-forward-rules': { conditionValue: 'Invoices', forwardTo: 'books@accountant.example' },
    '/filters': { type: 'domain', value: 'newsletter.example' },
  };
  for (const [path, body] of Object.entries(bodies)) {
    const { status } = await client.post(path, body);
    if (status >= 300) throw new Error(`${path} answered ${status}`);
  }
}
