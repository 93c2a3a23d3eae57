import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { readRepositoryFile, ROOT } from '../guards/sources.ts';
import { mcpClient } from '../support/mcp-client.ts';
import { useStack } from '../support/use-stack.ts';
import type { TestWorkspace } from '../support/workspace.ts';

const stack = useStack({ beside: ['app', 'mcp'] });
const page = readRepositoryFile('docs/mcp.md');
const blocks = (language: string) =>
  [...page.matchAll(new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 'gs'))].map(([, text = '']) => text);
let workspace: TestWorkspace;
beforeAll(async () => {
  workspace = await stack.workspace();
});

interface Program {
  command: string;
  args: string[];
  env: Record<string, string>;
}

describe('the page of agents', () => {
  it('has a configuration that starts the program, whose key and address are all that a reader fills in', async () => {
    const [config = ''] = blocks('json');
    const { postroom } = (JSON.parse(config) as { mcpServers: Record<string, Program> }).mcpServers;
    const client = new Client({ name: 'test', version: '1.0.0' });
    // Packages of the repository are found in its own folder, without a registry.
    const args = ['--no-install', ...(postroom?.args ?? []).slice(2)];
    expect(postroom?.args.slice(0, 2)).toEqual(['-p', '@postroom/client']);
    expect(Object.keys(postroom?.env ?? {})).toEqual(['POSTROOM_KEY', 'POSTROOM_URL']);
    const env = { ...(process.env as Record<string, string>), POSTROOM_KEY: workspace.keys.read };
    await client.connect(
      new StdioClientTransport({
        command: postroom?.command ?? '',
        args,
        env: { ...env, POSTROOM_URL: stack.baseUrl },
        cwd: ROOT,
      }),
    );
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain('read_email');
    await client.close();
  });

  it('has each tool in the order in which they are listed', async () => {
    const [, tools = ''] = /^## Tools$(.*?)^## /ms.exec(page) ?? [];
    const named = [...tools.matchAll(/^\| `([a-z_]+)` +\|/gm)].map(([, name]) => name);
    const client = await mcpClient(stack.mcpUrl, workspace.keys.send);
    expect(named).toEqual((await client.list()).map(({ name }) => name));
    await client.close();
  });

  it('has commands that print both documents of metadata', async () => {
    const commands = blocks('sh').flatMap((block) => block.split('\n').filter((line) => line.startsWith('curl ')));
    const [ofServer, ofIssuer, ...others] = commands.map((line) => line.replace(/^curl -s https:\/\/[^/]+/, ''));
    expect(others).toEqual([]);
    const read = async (path = '', base: string) =>
      JSON.parse((await promisify(execFile)('curl', ['-s', new URL(path, base).href])).stdout) as object;
    expect(await read(ofServer, stack.mcpUrl)).toMatchObject({ resource: stack.mcpUrl });
    expect(await read(ofIssuer, stack.appUrl)).toMatchObject({ issuer: new URL(stack.appUrl).origin });
  });
});
