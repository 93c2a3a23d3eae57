import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { manualClock, systemClock } from '@postroom/runtime/clock';
import { grantTo } from '../support/agent-grant.ts';
import { ISSUER } from '../support/identity.ts';
import { mcpClient, postMcp } from '../support/mcp-client.ts';
import { startStack, type TestStack } from '../support/stack.ts';
import type { TestWorkspace } from '../support/workspace.ts';

/** The gateway's own, so that a test moves past what it remembers. */
const clock = manualClock(Date.now());
let stack: TestStack;
let workspace: TestWorkspace;
let mailboxId: string;
beforeAll(async () => {
  stack = await startStack({
    beside: ['mcp'],
    variables: { OAUTH_ISSUER: ISSUER },
    clock: (service) => (service === 'gateway' ? clock : systemClock),
  });
  workspace = await stack.workspace();
  mailboxId = (await workspace.connectMailbox()).id;
});
afterAll(() => stack.close());

it('an access token opens the MCP server to the level of its grant, and never the API', async () => {
  const { accessToken, close } = await grantTo(stack, workspace, 'drafts');
  const client = await mcpClient(stack.mcpUrl, accessToken);
  const names = (await client.list()).map(({ name }) => name);
  expect(names).toContain('create_draft');
  expect(names).not.toContain('send_draft');
  const draft = await client.call('create_draft', { mailboxId, to: [{ email: 'a@b.example' }], body: { text: 'x' } });
  expect(draft.isError).toBe(false);
  expect(await client.call('send_draft', { draftId: draft.value.id })).toMatchObject({
    value: { code: 'OUTBOUND_SEND_NOT_ALLOWED' },
  });
  expect(await stack.client(accessToken).get('/mailboxes')).toMatchObject({ status: 401 });
  await client.close();
  await close();
});

it('a send that needs approval is a result that says so, the same for every repeat', async () => {
  const { accessToken, close } = await grantTo(stack, await anew(), 'approve');
  const client = await mcpClient(stack.mcpUrl, accessToken);
  const draft = await client.call('create_draft', { mailboxId, to: [{ email: 'a@b.example' }], body: { text: 'y' } });
  const waiting = await client.call('send_draft', { draftId: draft.value.id });
  expect(waiting).toMatchObject({ isError: false, value: { status: 'waiting_for_approval', emailId: null } });
  expect(await client.call('send_draft', { draftId: draft.value.id })).toEqual(waiting);
  expect(await client.call('get_send', { draftId: draft.value.id })).toEqual(waiting);
  await client.close();
  await close();
});

it('a token that was revoked opens nothing any more', async () => {
  const { accessToken, revoke, close } = await grantTo(stack, await anew(), 'read');
  const list = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };
  const status = async () => (await postMcp(stack.mcpUrl, list, { Authorization: `Bearer ${accessToken}` })).status;
  expect(await status()).toBe(200);
  await revoke();
  // The gateway believes an answer for five seconds.
  await clock.advance(5_000);
  expect(await status()).toBe(401);
  await close();
});

async function anew(): Promise<TestWorkspace> {
  workspace = await stack.workspace();
  mailboxId = (await workspace.connectMailbox()).id;
  return workspace;
}
