import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../engines/eventually.ts';
import { type Collector, startCollector } from '../support/collector.ts';
import { GENERATIONS, mcpClient, type McpClient } from '../support/mcp-client.ts';
import { openMailSink, type MailSink } from '../support/mail-sink.ts';
import { startStack, type TestStack } from '../support/stack.ts';
import type { TestWorkspace } from '../support/workspace.ts';

let collector: Collector;
let sink: MailSink;
let stack: TestStack;
let workspace: TestWorkspace;
let mailboxId: string;
let emailId: string;

const READING =
  'list_mailboxes search_emails list_emails list_threads read_email list_labels list_views list_drafts read_draft list_rules list_changes get_send'.split(
    ' ',
  );
const CHANGING = ['set_email_flags', 'label_emails', 'trash_emails', 'create_label', 'create_draft'];

beforeAll(async () => {
  [sink, collector] = await Promise.all([openMailSink(), startCollector()]);
  const variables = { DEVELOPMENT_SMTP_ADDR: sink.address };
  stack = await startStack({ beside: ['mcp'], variables, otlpEndpoint: collector.endpoint });
  workspace = await stack.workspace();
  mailboxId = (await workspace.connectMailbox({ email: 'bob@example.com' })).id;
  [emailId = ''] = await workspace.ingest(mailboxId, [{ subject: 'Quarterly report', text: 'The numbers are in.' }]);
});

afterAll(async () => {
  await stack.close();
  await Promise.all([sink.close(), collector.close()]);
});

describe.each(GENERATIONS)('the official client of %s', (generation) => {
  let client: McpClient;
  beforeAll(async () => {
    client = await mcpClient(stack.mcpUrl, workspace.keys.send, generation);
  });
  afterAll(() => client.close());

  it('lists the tools that its key may call, in one order', async () => {
    const names = (await client.list()).map(({ name }) => name);
    expect(names).toEqual([...READING, ...CHANGING, 'send_draft']);
  });

  it('calls every tool', async () => {
    const first = async (tool: string, given = {}) => {
      const { isError, value } = await client.call(tool, given);
      expect({ tool, isError, value }).toMatchObject({ isError: false });
      return value;
    };
    expect((await first('list_mailboxes')).items).toMatchObject([{ id: mailboxId, email: 'bob@example.com' }]);
    expect((await first('search_emails', { q: 'quarterly' })).items).toMatchObject([{ id: emailId }]);
    expect((await first('list_emails', { mailboxId, limit: 5 })).items.length).toBeGreaterThan(0);
    expect((await first('list_threads')).items.length).toBeGreaterThan(0);
    expect((await first('read_email', { emailId })).text).toContain('The numbers are in.');
    const { label } = await first('create_label', { name: `Reports ${generation}`, color: 'Blue' });
    expect((await first('list_labels')).items).toContainEqual(expect.objectContaining({ id: label.id }));
    await first('label_emails', { action: 'apply', emailIds: [emailId], labelId: label.id });
    await first('label_emails', { action: 'remove', emailIds: [emailId], labelId: label.id });
    await first('list_views');
    await first('list_rules');
    const email = (await first('set_email_flags', { emailId, isRead: true, isStarred: true })).email;
    expect(email).toEqual({ id: emailId, isRead: true, isStarred: true });
    const draft = await first('create_draft', {
      mailboxId,
      to: [{ email: 'ann@a.example' }],
      body: { text: `Yes ${generation}.` },
    });
    expect((await first('list_drafts')).items).toContainEqual(expect.objectContaining({ id: draft.id }));
    expect((await first('read_draft', { draftId: draft.id })).text).toContain(`Yes ${generation}.`);
    const sent = await first('send_draft', { draftId: draft.id });
    expect(sent).toMatchObject({ status: 'sent', draftId: draft.id, emailId: expect.any(String) });
    expect(await first('send_draft', { draftId: draft.id })).toEqual(sent);
    expect(await first('get_send', { draftId: draft.id })).toEqual(sent);
    expect(sink.caught.filter(({ raw }) => raw.includes(`Yes ${generation}`))).toHaveLength(1);
    expect((await first('list_changes')).items.length).toBeGreaterThan(0);
    const [unwanted = ''] = await workspace.ingest(mailboxId, [{ subject: 'Away' }]);
    expect((await first('trash_emails', { emailIds: [unwanted] })).deletedIds).toEqual([unwanted]);
  });
});

it('a key that may only read sees and calls reading tools alone', async () => {
  const client = await mcpClient(stack.mcpUrl, workspace.keys.read);
  expect((await client.list()).map(({ name }) => name)).toEqual(READING);
  await client.close();
});

it('one call of a tool is one trace, from the MCP server over the gateway to the service', async () => {
  const client = await mcpClient(stack.mcpUrl, workspace.keys.read);
  await client.call('list_labels');
  await client.close();
  const span = (name: string) => collector.spans().find((one) => one.name === name);
  await eventually(() => {
    const [tool, route, call] = ['tool list_labels', 'GET /labels', 'LabelRuleService/ListLabels'].map(span);
    expect([route?.traceId, call?.traceId]).toEqual([tool?.traceId, tool?.traceId]);
    expect([tool?.traceId, route?.parentSpanId]).toEqual([expect.any(String), tool?.spanId]);
  }, 20_000);
});
