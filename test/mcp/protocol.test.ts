import { beforeAll, describe, expect, it } from '@jest/globals';
import { mcpClient, postMcp } from '../support/mcp-client.ts';
import { useStack } from '../support/use-stack.ts';
import type { TestWorkspace } from '../support/workspace.ts';

const stack = useStack({ beside: ['mcp'], features: [] });
let workspace: TestWorkspace;
let mailboxId: string;
beforeAll(async () => {
  workspace = await stack.workspace();
  mailboxId = (await workspace.connectMailbox()).id;
});

const call = (name: string, given: object = {}) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name, arguments: given },
});
const initialize = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
};
const bearer = (key: string) => ({ Authorization: `Bearer ${key}` });
const asked = (body: object, key: string) => postMcp(stack.mcpUrl, body, bearer(key));
/** The use of the minute and of the month by the workspace. */
async function used() {
  const { headers } = await workspace.read.get('/labels');
  const left = (name: string) => Number(headers.get(name));
  return { minute: left('x-ratelimit-remaining'), month: left('x-ratelimit-quota-remaining') };
}

describe('admission', () => {
  it('401 names the metadata of the server, which says where tokens come from', async () => {
    const answer = await postMcp(stack.mcpUrl, initialize);
    expect(answer.status).toBe(401);
    const challenge = answer.headers.get('www-authenticate') ?? '';
    expect(challenge).toMatch(/^Bearer scope="read", resource_metadata="/);
    const [, address = ''] = /resource_metadata="([^"]+)"/.exec(challenge) ?? [];
    const metadata = await fetch(address);
    expect(metadata.status).toBe(200);
    expect(await metadata.json()).toMatchObject({ resource: stack.mcpUrl, scopes_supported: ['read', 'write'] });
  });

  it.each(['Bearer nonsense', 'Basic eDp5', `Bearer mk_${'a'.repeat(40)}`, `Bearer mt_${'a'.repeat(43)}`])(
    '401 invalid_token for %j',
    async (authorization) => {
      const answer = await postMcp(stack.mcpUrl, initialize, { Authorization: authorization });
      expect(answer.status).toBe(401);
      expect(answer.headers.get('www-authenticate')).toContain('error="invalid_token"');
    },
  );

  it('401 for a key that was revoked', async () => {
    const { id, secret } = await workspace.createKey({ scopes: ['read'] });
    await stack.workspaces.revokeKey({ workspaceId: workspace.id, keyId: id }, {});
    expect((await asked(initialize, secret)).status).toBe(401);
  });

  it('403 WORKSPACE_SUSPENDED for a suspended workspace', async () => {
    const suspended = await stack.workspace();
    await stack.workspaces.suspendWorkspace({ workspaceId: suspended.id }, {});
    const answer = await asked(initialize, suspended.keys.read);
    expect(answer.status).toBe(403);
    expect(await answer.json()).toMatchObject({ code: 'WORKSPACE_SUSPENDED' });
  });

  it('403 insufficient_scope names the scope that a tool needs, and the call is not made', async () => {
    const answer = await asked(call('create_label', { name: 'x', color: 'Blue' }), workspace.keys.read);
    expect(answer.status).toBe(403);
    expect(answer.headers.get('www-authenticate')).toMatch(/error="insufficient_scope".*scope="read write"/);
    expect((await workspace.read.get('/labels')).body.items).toEqual([]);
  });

  it('403 for a page of somebody else, whose browser would say so', async () => {
    const answer = await postMcp(stack.mcpUrl, initialize, {
      ...bearer(workspace.keys.read),
      Origin: 'https://evil.example',
    });
    expect(answer.status).toBe(403);
  });
});

describe('the protocol', () => {
  it('has no session, and no stream to open', async () => {
    const answer = await asked(initialize, workspace.keys.read);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('mcp-session-id')).toBeNull();
    const opened = await fetch(stack.mcpUrl, {
      headers: { ...bearer(workspace.keys.read), Accept: 'text/event-stream' },
    });
    expect(opened.status).toBe(405);
  });

  it('tools/list is private to its caller', async () => {
    const answer = await asked({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }, workspace.keys.read);
    expect(await answer.text()).toContain('"cacheScope":"private"');
  });

  it('discovery costs no unit and does not count in the minute', async () => {
    const before = await used();
    const client = await mcpClient(stack.mcpUrl, workspace.keys.send);
    await client.list();
    await client.close();
    const after = await used();
    expect({ minute: before.minute - after.minute, month: before.month - after.month }).toEqual({
      minute: 1,
      month: 1,
    });
  });

  it.each(['delete_everything', 'list_threads', 'list_changes'])(
    '-32602 for the tool %s, which is unknown or closed, at no cost',
    async (name) => {
      const before = await used();
      const answer = await asked(call(name), workspace.keys.send);
      expect(await answer.text()).toContain('-32602');
      expect(before.month - (await used()).month).toBe(1);
    },
  );

  it('400 for a message that is not JSON, and 413 for one that is too large, whose connection goes on', async () => {
    const headers = bearer(workspace.keys.read);
    expect((await postMcp(stack.mcpUrl, '{', headers)).status).toBe(400);
    for (let n = 0; n < 3; n += 1) {
      expect((await postMcp(stack.mcpUrl, `"${'x'.repeat(3_000_000)}"`, headers)).status).toBe(413);
      expect((await postMcp(stack.mcpUrl, '{', headers)).status).toBe(400);
    }
  });

  it.each([
    ['arguments', (deep: string) => `{"name":"list_labels","arguments":{"cursor":${deep}}}`],
    ['a name', (deep: string) => `{"name":${deep}}`],
  ])('400 for %s of a hundred thousand levels', async (_what, params) => {
    const deep = '['.repeat(100_000) + ']'.repeat(100_000);
    const message = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${params(deep)}}`;
    const answer = await postMcp(stack.mcpUrl, message, bearer(workspace.keys.read));
    expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining('too many levels')]);
  });

  it('404 for any other path', async () => {
    const answer = await fetch(new URL('/elsewhere', stack.mcpUrl), { headers: bearer(workspace.keys.read) });
    expect(answer.status).toBe(404);
  });
});

describe('a call of a tool', () => {
  it('is the call of the API: its units, its errors, its hints for what to do', async () => {
    const client = await mcpClient(stack.mcpUrl, workspace.keys.write);
    const before = await used();
    expect(await client.call('read_email', { emailId: 'eml_unknown' })).toMatchObject({
      isError: true,
      value: { code: 'NOT_FOUND', error: expect.any(String), next: expect.any(String) },
    });
    expect(await client.call('search_emails', { q: 'x' })).toMatchObject({
      isError: true,
      value: { code: 'VALIDATION_FAILED', details: { q: expect.anything() } },
    });
    const after = await used();
    expect(before.month - after.month).toBe(3);
    expect(await client.call('read_email')).toMatchObject({ isError: true, value: { code: 'VALIDATION_FAILED' } });
    expect(await client.call('read_email', { emailId: '..' })).toMatchObject({ value: { code: 'NOT_FOUND' } });
    await client.close();
  });

  it('costs a unit for each email of a bulk call', async () => {
    const emailIds = await workspace.ingest(mailboxId, [{}, {}, {}]);
    const client = await mcpClient(stack.mcpUrl, workspace.keys.write);
    const before = await used();
    await client.call('trash_emails', { emailIds });
    expect(before.month - (await used()).month).toBe(4);
    await client.close();
  });

  it('makes a draft once for one idempotencyKey', async () => {
    const client = await mcpClient(stack.mcpUrl, workspace.keys.write);
    const draft = { mailboxId, to: [{ email: 'a@b.example' }], body: { text: 'x' }, idempotencyKey: 'one' };
    const [one, other] = [await client.call('create_draft', draft), await client.call('create_draft', draft)];
    expect(other.value.id).toBe(one.value.id);
    await client.close();
  });

  it('takes an idempotencyKey of any script, and refuses one that a header cannot hold', async () => {
    const client = await mcpClient(stack.mcpUrl, workspace.keys.write);
    const create = (name: string, idempotencyKey: unknown) =>
      client.call('create_label', { name, color: 'Blue', idempotencyKey });
    const [one, other] = [await create('Ключ', 'ключ 鍵'), await create('Ключ', 'ключ 鍵')];
    expect([one.isError, other.value.label]).toEqual([false, one.value.label]);
    for (const wrong of ['a\r\nX-Key: b', '\ud800', 7, ['a']]) {
      const refused = await create('Other', wrong);
      expect([wrong, refused.value]).toEqual([wrong, expect.objectContaining({ code: 'VALIDATION_FAILED' })]);
    }
    await client.close();
  });

  it('finds nothing by half a character, as by any other unknown id', async () => {
    const client = await mcpClient(stack.mcpUrl, workspace.keys.read);
    const found = await client.call('read_email', { emailId: 'eml_\ud800' });
    expect(found.value).toMatchObject({ code: 'NOT_FOUND' });
    await client.close();
  });

  it('OUTBOUND_SEND_NOT_ALLOWED for a key without the permission, which does not see the tool', async () => {
    const client = await mcpClient(stack.mcpUrl, workspace.keys.write);
    expect((await client.list()).map(({ name }) => name)).not.toContain('send_draft');
    const draft = await client.call('create_draft', { mailboxId, to: [{ email: 'a@b.example' }], body: { text: 'x' } });
    const refusal = await client.call('send_draft', { draftId: draft.value.id });
    expect(refusal).toMatchObject({ isError: true, value: { code: 'OUTBOUND_SEND_NOT_ALLOWED' } });
    await client.close();
  });
});

it('the calls for the MCP server are no part of the API', async () => {
  for (const [method, path] of [
    ['GET', '/caller'],
    ['GET', '/emails/eml_1/reading'],
    ['GET', '/drafts/eml_1/send'],
    ['POST', '/drafts/eml_1/send'],
  ] as const) {
    const headers = { 'postroom-mcp-token': 'guessed' };
    const { status, body } = await workspace.send.request(method, path, { headers });
    expect({ path, status, code: body.code }).toEqual({ path, status: 404, code: 'NOT_FOUND' });
  }
});
