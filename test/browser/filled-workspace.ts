import { openWaitingApproval, storeGrant } from '../support/agents.ts';
import { rawMessage } from '../support/message.ts';
import type { TestStack } from '../support/stack.ts';
import { openWaitingReply } from '../support/waiting-reply.ts';

/** Their places when nothing is open, and what opens over them. */
export const PAGES = [
  '/',
  '/mail',
  '/drafts',
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

/** One of everything that lists show, and the pages of its own that some of it has. */
export async function fillWorkspace(stack: TestStack, workspaceId: string): Promise<string[]> {
  const request = { workspaceId, aliases: [], withoutTrash: false };
  const mailbox = await stack.workspaces.connectMailbox(
    { ...request, email: 'someone.with.a.long.name@acme.example' },
    {},
  );
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
  const approvalId = await openApproval(stack, workspaceId, mailbox.id);
  const draftId = await openWaitingReply(stack, workspaceId, mailbox, 'Is Tuesday fine?');
  const draft = { mailboxId: mailbox.id, to: [{ email: 'bob@other.example' }], body: { html: '<p>Dear Bob</p>' } };
  await client.post('/drafts', { ...draft, subject: 'A draft' });
  return [
    `/drafts/${approvalId}`,
    `/drafts/edit/${draftId}`,
    `/mail/${await receiveMail(stack, workspaceId, mailbox.id)}`,
  ];
}

/** Mail with everything that a row shows; the last is the one to open. */
async function receiveMail(stack: TestStack, workspaceId: string, mailboxId: string): Promise<string> {
  const messages = [
    { subject: 'A subject that is longer than a narrow screen, as subjects are', isStarred: true },
    { subject: 'Read', isRead: true, cc: 'cy@acme.example' },
    { subject: 'To open', text: 'See https://acme.example/x.' },
  ];
  const { outcomes } = await stack.mailboxWrite.ingest(
    { mailboxId, messages: messages.map(rawMessage) },
    { workspaceId },
  );
  return outcomes.at(-1)?.emailId ?? '';
}

/** A client of the owner, and the message that it asks to send. Its html holds text that readers do not see. */
export async function openApproval(stack: TestStack, workspaceId: string, mailboxId: string): Promise<string> {
  const found = await stack.collections.workspaceMembers.findOne({ _id: workspaceId }).lean();
  const personId = found?.members[0]?.personId ?? '';
  const grantId = await storeGrant(stack, workspaceId, personId);
  const html = '<p>Is Tuesday fine?</p><p style="display: none">the secret</p>';
  return openWaitingApproval(stack, workspaceId, mailboxId, {
    subject: 'Tuesday',
    personId,
    grantId,
    body: { html },
  });
}
