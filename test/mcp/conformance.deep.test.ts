import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, request as httpRequest, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it as anyTest } from '@jest/globals';
import { freePort } from '@postroom/local/free-port';
import { type ServiceProcess, startServiceProcess } from '../support/service-process.ts';
import { skipAloud } from '../support/skips.ts';
import { startStack, type TestStack } from '../support/stack.ts';
import { BASELINES } from './conformance-baseline.ts';

/** The programs are npm packages for a newer Node than that of the services, which therefore runs them. */
const { MCP_CONFORMANCE, MCP_INSPECTOR } = process.env;

function whenNamed(variable: string, program: string | undefined): typeof anyTest | typeof anyTest.skip {
  if (program) return anyTest;
  skipAloud(`${variable} names no command that starts it, such as "node24 cli.js"`);
  return anyTest.skip;
}

const folder = mkdtempSync(join(tmpdir(), 'postroom-conformance-'));
let stack: TestStack;
let mcp: ServiceProcess;
let tap: Server;
let key: string;
/** Brings the key, which the suite has no option for. */
let openUrl: string;

beforeAll(async () => {
  if (!MCP_CONFORMANCE && !MCP_INSPECTOR) return;
  const MCP_TOKEN = 'of the test';
  stack = await startStack({ without: ['mcp'], variables: { MCP_TOKEN } });
  const { keys, connectMailbox } = await stack.workspace();
  await connectMailbox();
  key = keys.send;
  const port = await freePort(0);
  tap = createServer((asked, answer) => {
    const headers = { authorization: `Bearer ${key}`, ...asked.headers };
    const passed = httpRequest({ host: '127.0.0.1', port, method: asked.method, path: asked.url, headers }, (heard) => {
      answer.writeHead(heard.statusCode ?? 500, heard.headers);
      heard.pipe(answer);
    });
    asked.pipe(passed.on('error', () => answer.destroy()));
  });
  await new Promise<void>((resolve) => tap.listen(0, '127.0.0.1', resolve));
  openUrl = `http://127.0.0.1:${(tap.address() as AddressInfo).port}/mcp`;
  const { GATEWAY_ADDR } = stack.addresses;
  mcp = await startServiceProcess('mcp', { GATEWAY_ADDR, MCP_TOKEN, MCP_URL: openUrl, HTTP_PORT: `${port}` });
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  tap?.closeAllConnections();
  tap?.close();
  await mcp?.kill();
  await stack?.close();
});

/** Its exit code, and what it said. */
function run(program: string, args: string[]): Promise<{ code: unknown; said: string }> {
  const [command = '', ...first] = program.split(' ');
  return new Promise((resolve) => {
    execFile(command, [...first, ...args], { cwd: folder, timeout: 240_000 }, (error, said) =>
      resolve({ code: error ? (error.code ?? 'killed') : 0, said }),
    );
  });
}

describe('the official conformance suite', () => {
  const it = whenNamed('MCP_CONFORMANCE', MCP_CONFORMANCE);
  it.each(Object.entries(BASELINES))(
    'of the revision %s passes but for the scenarios of the baseline, and each of these still fails',
    async (revision, baseline) => {
      const known = join(folder, `${revision}.yaml`);
      writeFileSync(known, JSON.stringify({ server: Object.keys(baseline) }));
      const asked = ['--suite', 'all', '--spec-version', revision, '--expected-failures', known];
      const { code, said } = await run(MCP_CONFORMANCE as string, ['server', '--url', openUrl, ...asked]);
      const summary = said.slice(said.indexOf('=== SUMMARY ==='));
      expect(summary).toContain('tools-list: ');
      if (code !== 0) throw new Error(summary);
    },
  );
});

describe('the command line of the inspector', () => {
  const it = whenNamed('MCP_INSPECTOR', MCP_INSPECTOR);
  const inspect = async (...args: string[]) => {
    const header = ['--transport', 'http', '--header', `Authorization: Bearer ${key}`];
    const { code, said } = await run(MCP_INSPECTOR as string, ['--cli', openUrl, ...header, ...args]);
    expect({ code, said }).toEqual({ code: 0, said: expect.any(String) });
    return JSON.parse(said) as Record<string, unknown>;
  };

  it('lists the tools and calls one', async () => {
    const { tools } = await inspect('--method', 'tools/list');
    expect((tools as { name: string }[]).map(({ name }) => name)).toContain('send_draft');
    const called = ['--method', 'tools/call', '--tool-name', 'list_mailboxes'];
    expect(await inspect(...called)).toMatchObject({ structuredContent: { items: [expect.any(Object)] } });
  });
});
