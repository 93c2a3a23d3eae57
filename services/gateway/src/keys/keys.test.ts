import { expect, it } from '@jest/globals';
import { manualClock } from '@postroom/runtime/clock';
import { silentLog } from '@postroom/runtime/log';
import { createKeys } from './keys.ts';

const MCP_URL = 'https://mail.example.com/mcp';

/** The gateway of this MCP server, before an access token that was issued for the resource. */
function keysFor(resource: string) {
  const grant = {
    id: 'gra_1',
    clientName: 'Helper',
    scopes: ['read'],
    level: 'drafts',
    personId: 'per_1',
    createdAt: '',
  };
  const workspace = { id: 'wsp_1', plan: 'expert', isSuspended: false };
  const resolveAccessToken = async () => ({ grant, workspace, resource, expiresAt: '2226-01-01T00:00:00Z' });
  const deps = {
    workspace: {},
    identity: { resolveAccessToken },
    mcpUrl: MCP_URL,
    clock: manualClock(),
    log: silentLog,
  };
  return createKeys(deps as unknown as Parameters<typeof createKeys>[0]);
}

it('takes an access token that was issued for its own MCP server, and none for another one', async () => {
  const caller = await keysFor(MCP_URL).clientOf('hash', 'req_1');
  expect(caller.agent).toMatchObject({ kind: 'grant', id: 'gra_1', level: 'drafts' });
  const foreign = async () => keysFor('https://other.example.com/mcp').clientOf('hash', 'req_1');
  await expect(foreign()).rejects.toMatchObject({ code: 'INVALID_API_KEY' });
});
