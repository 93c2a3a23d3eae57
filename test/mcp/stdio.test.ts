import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Client as ModernClient } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Client as FormerClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as FormerTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { ROOT } from '../guards/sources.ts';
import { useStack } from '../support/use-stack.ts';
import type { TestWorkspace } from '../support/workspace.ts';

const stack = useStack({ beside: ['mcp'] });
const PROGRAM = join(ROOT, 'libs/client/postroom-mcp.mjs');
const IDENTITY = { name: 'test', version: '1.0.0' };
let workspace: TestWorkspace;
let client: ModernClient | FormerClient | undefined;
beforeAll(async () => {
  workspace = await stack.workspace();
  await workspace.connectMailbox({ email: 'bob@example.com' });
});
afterEach(() => client?.close());

const programOf = (key: string, where: Record<string, string> = { POSTROOM_URL: stack.baseUrl }) => ({
  command: PROGRAM,
  env: { PATH: process.env['PATH'] ?? '', POSTROOM_KEY: key, ...where },
});
const generations = {
  '2026': async (key: string) => {
    const modern = new ModernClient(IDENTITY, { versionNegotiation: { mode: { pin: '2026-07-28' } } });
    client = modern;
    await modern.connect(new StdioClientTransport(programOf(key)));
    return modern;
  },
  '2025': async (key: string, where?: Record<string, string>) => {
    const former = new FormerClient(IDENTITY);
    client = former;
    await former.connect(new FormerTransport(programOf(key, where)) as never);
    return former;
  },
};

describe.each(['2026', '2025'] as const)('postroom-mcp with the official client of %s', (generation) => {
  it('finds the server by the address of the API, lists tools and calls one', async () => {
    const connected = await generations[generation](workspace.keys.read);
    expect((await connected.listTools()).tools.map(({ name }) => name)).toContain('read_email');
    const { structuredContent } = await connected.callTool({ name: 'list_mailboxes', arguments: {} });
    expect(structuredContent).toMatchObject({ items: [{ email: 'bob@example.com' }] });
  });
});

it('asks the server that is named, and says what is wrong with a key', async () => {
  await expect(generations['2025'](`mk_${'a'.repeat(40)}`, { POSTROOM_MCP_URL: stack.mcpUrl })).rejects.toThrow(/key/i);
});

it('without a key it says what it needs, and ends with 2', async () => {
  const program = spawn(PROGRAM, { env: { PATH: process.env['PATH'] }, stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  program.stderr.on('data', (piece: Buffer) => (said += piece.toString()));
  const code = await new Promise((resolve) => program.once('close', resolve));
  expect({ code, said }).toEqual({ code: 2, said: expect.stringContaining('POSTROOM_KEY') });
});
