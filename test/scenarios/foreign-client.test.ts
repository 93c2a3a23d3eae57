import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ServiceError, status } from '@grpc/grpc-js';
import { LabelRuleServiceDefinition } from '@postroom/proto/postroom/v1/label_rule';
import { MailboxReadServiceDefinition } from '@postroom/proto/postroom/v1/mailbox_read';
import { ViewFilterServiceDefinition } from '@postroom/proto/postroom/v1/view_filter';
import { connect } from '@postroom/rpc/connect';
import { createServiceContext } from '@postroom/runtime/service-context';
import { whenDatabaseHas } from '../engines/support/mongo.ts';
import { foreignClient, foreignHealth, foreignServices } from '../support/foreign-grpc.ts';
import { startStack, type TestStack } from '../support/stack.ts';

const ATTACHED = Buffer.from(Array.from({ length: 300 }, (_, at) => at % 256));
const RAW = Buffer.from(
  [
    'From: Ann <ann@sender.example>',
    'To: bob@example.com',
    'Subject: =?utf-8?B?w6kg5ryiIPCfjog=?=',
    'Message-ID: <foreign@sender.example>',
    'Date: Sun, 01 Mar 2026 00:00:00 +0000',
    'MIME-Version: 1.0',
    'Content-Type: multipart/mixed; boundary=b',
    '',
    '--b',
    'Content-Type: text/plain; charset=utf-8',
    '',
    'Hello.',
    '--b',
    'Content-Type: application/octet-stream',
    'Content-Disposition: attachment; filename="bytes.bin"',
    'Content-Transfer-Encoding: base64',
    '',
    ATTACHED.toString('base64'),
    '--b--',
    '',
  ].join('\r\n'),
);

/** A program of somebody else's, with the protos and the standard library alone, against the services on their sockets. */
describe('a gRPC client that has nothing of ours but the protos', () => {
  let stack: TestStack;
  let theirs: ReturnType<typeof openTheirs>;
  let ours: ReturnType<typeof openOurs>;
  let workspaceId: string;
  let mailbox: { id: string };
  beforeAll(async () => {
    stack = await startStack();
    theirs = openTheirs(stack);
    ours = openOurs(stack);
    workspaceId = (await theirs.workspace.call('CreateWorkspace', { name: 'Foreign', plan: 'expert' })).id;
    const request = { workspaceId, email: `foreign-${Date.now()}@example.com`, aliases: ['Also@Example.com'] };
    mailbox = await theirs.workspace.call('ConnectMailbox', request);
  });
  afterAll(async () => {
    for (const { close } of [...Object.values(theirs ?? {}), ...Object.values(ours ?? {})]) close();
    await stack?.close();
  });

  it('WorkspaceOperatorService: sees false and [] where nothing was sent, and no key where an optional field is absent', async () => {
    const { items } = await theirs.workspace.call('ListWorkspaces', {});
    const workspace = items.find(({ id }: { id: string }) => id === workspaceId);
    expect(workspace).toMatchObject({ name: 'Foreign', plan: 'expert', isSuspended: false });
    expect(workspace).not.toHaveProperty('planUntil');
    expect(mailbox).not.toHaveProperty('name');
    expect(mailbox).toMatchObject({
      aliases: [{ email: 'Also@Example.com', verified: true }],
      provider: 'development',
    });
    const { key } = await theirs.workspace.call('CreateKey', { workspaceId, name: 'k', scopes: ['read'] });
    expect(key).toMatchObject({ scopes: ['read'], allowOutboundSend: false });
    expect(key).not.toHaveProperty('revokedAt');
  });

  whenDatabaseHas('projections')(
    'MailboxWriteService and MailboxReadService: bytes go in whole, and an email comes out as our client reads it',
    async () => {
      const messages = [{ sourceKey: 'foreign:1', raw: RAW, folderType: 'INBOX', isStarred: true }];
      const answer = await theirs.mailboxWrite.call('Ingest', { mailboxId: mailbox.id, messages }, workspaceId);
      expect(answer).toMatchObject({ outcomes: [{ sourceKey: 'foreign:1', outcome: 'stored' }] });
      const { emailId } = answer.outcomes[0];

      const email = await theirs.mailboxRead.call('GetEmail', { emailId }, workspaceId);
      expect(email).toEqual(await ours.mailboxRead.getEmail({ emailId }, { workspaceId }));
      expect(email).toMatchObject({
        subject: 'é 漢 🎈',
        date: '2026-03-01T00:00:00.000Z',
        attachments: [{ filename: 'bytes.bin', size: ATTACHED.length }],
        isStarred: true,
        isRead: false,
      });
      expect(email).not.toHaveProperty('inReplyTo');

      const page = await theirs.mailboxRead.call('ListEmails', { limit: 10 }, workspaceId);
      expect(JSON.parse(page.json.toString())).toMatchObject({ items: [{ id: emailId }], hasMore: false });
      const change = { emailIds: [emailId], isRead: true };
      const changed = await theirs.mailboxWrite.call('BulkMarkRead', change, workspaceId);
      expect(changed.updatedIds).toEqual([emailId]);
      // False that is sent is told from nothing that is sent.
      const unread = await theirs.mailboxWrite.call('UpdateEmail', { emailId, isRead: false }, workspaceId);
      expect(unread).toMatchObject({ isRead: false, isStarred: true });
    },
  );

  it('LabelRuleService: an optional field that is not sent changes nothing', async () => {
    const label = await theirs.labelRule.call('CreateLabel', { name: 'Foreign', color: 'Blue' }, workspaceId);
    const renamed = await theirs.labelRule.call('UpdateLabel', { labelId: label.id, name: 'Renamed' }, workspaceId);
    expect(renamed).toEqual({ ...label, name: 'Renamed' });
    expect((await ours.labelRule.listLabels({}, { workspaceId })).items).toEqual([renamed]);
  });

  it('ViewFilterService: a view and a filter as our client reads them', async () => {
    const tree = { filtersJson: '{"id":"1","label":"subject","type":"contains","value":"🎉"}' };
    const view = await theirs.viewFilter.call('CreateView', { name: 'Unread', ...tree }, workspaceId);
    expect(view).not.toHaveProperty('icon');
    expect((await ours.viewFilter.listViews({}, { workspaceId })).items).toEqual([view]);
    const filter = { type: 'domain', value: 'sender.example' };
    expect(await theirs.viewFilter.call('CreateInboxFilter', filter, workspaceId)).toMatchObject(filter);
  });

  it('a refusal carries the gRPC status, the code and its details in the trailers', async () => {
    const unknown = await refusalOf(theirs.mailboxRead.call('GetEmail', { emailId: 'eml_unknown' }, workspaceId));
    expect(unknown).toMatchObject({ code: status.NOT_FOUND });
    expect(unknown.metadata.get('postroom-code')).toEqual(['EMAIL_NOT_FOUND']);
    const taken = await refusalOf(
      theirs.labelRule.call('CreateLabel', { name: 'Renamed', color: 'Blue' }, workspaceId),
    );
    expect(taken.metadata.get('postroom-code')).toEqual(['DUPLICATE_TAG_NAME']);
    expect(taken.details).not.toBe('');
  });

  it('the health service answers for readiness and liveness, and does not know other names', async () => {
    const isHttp = (name: string) => ['GATEWAY_ADDR', 'APP_ADDR', 'MCP_ADDR'].includes(name);
    const addresses = Object.entries(stack.addresses).filter(([name]) => !isHttp(name));
    for (const [, address] of addresses) {
      const health = foreignClient(foreignHealth(), address);
      for (const service of ['', 'readiness', 'liveness']) {
        expect(await health.call('Check', { service })).toEqual({ status: 'SERVING' });
      }
      expect(await refusalOf(health.call('Check', { service: 'other' }))).toMatchObject({ code: status.NOT_FOUND });
      health.close();
    }
  });
});

function openTheirs({ addresses, operatorToken }: TestStack) {
  const services = foreignServices();
  return {
    workspace: foreignClient(services['WorkspaceOperatorService'], addresses.WORKSPACE_OPERATOR_ADDR, operatorToken),
    mailboxRead: foreignClient(services['MailboxReadService'], addresses.MAILBOX_READ_ADDR),
    mailboxWrite: foreignClient(services['MailboxWriteService'], addresses.MAILBOX_WRITE_ADDR),
    labelRule: foreignClient(services['LabelRuleService'], addresses.LABEL_RULE_ADDR),
    viewFilter: foreignClient(services['ViewFilterService'], addresses.VIEW_FILTER_ADDR),
  };
}

function openOurs({ addresses }: TestStack) {
  const context = createServiceContext({ name: 'test', logLevel: 'silent' });
  return {
    mailboxRead: connect(MailboxReadServiceDefinition, addresses.MAILBOX_READ_ADDR, { context }),
    labelRule: connect(LabelRuleServiceDefinition, addresses.LABEL_RULE_ADDR, { context }),
    viewFilter: connect(ViewFilterServiceDefinition, addresses.VIEW_FILTER_ADDR, { context }),
  };
}

async function refusalOf(call: Promise<unknown>): Promise<ServiceError> {
  const answer = await call.catch((error: ServiceError) => error);
  if (answer instanceof Error) return answer as ServiceError;
  throw new Error('the call was expected to be refused');
}
