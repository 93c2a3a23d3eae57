import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it as anyTest } from '@jest/globals';
import { createClient, each, type Client, type Feature } from '@postroom/client';
import { FEATURES } from '@postroom/contract/lists';
import { whenDatabaseHas } from '../engines/support/mongo.ts';
import { readRepositoryFile, ROOT } from '../guards/sources.ts';
import { openMailSink, type MailSink } from '../support/mail-sink.ts';
import { skipAloud } from '../support/skips.ts';
import { startStack, type TestStack } from '../support/stack.ts';
import { callOf, routesInOrder } from '../api/every-call.ts';
import { populated, type Ids } from '../api/populated.ts';

let sink: MailSink;
let stack: TestStack;
let client: Client<Feature>;
let key: string;
let ids: Ids;

beforeAll(async () => {
  sink = await openMailSink();
  stack = await startStack({ variables: { DEVELOPMENT_SMTP_ADDR: sink.address } });
  const { workspace, ids: known } = await populated(stack, 'hello');
  ids = known;
  key = workspace.keys.send;
  client = createClient({ baseUrl: stack.baseUrl, key, features: FEATURES as readonly Feature[] });
});
afterAll(async () => {
  await stack?.close();
  await sink?.close();
});

type AnyCall = (...given: unknown[]) => Promise<{ status: number; limits?: { minute: { remaining: number } } }>;

const it = whenDatabaseHas('projections', 'expressions');

/** Other runtimes, by the variable that names their program, and what they want to be told. */
const RUNTIMES = { DENO: ['run', '--no-check', '--allow-net', '--allow-env', '--allow-read'], BUN: ['run'] };
function whenThereIs(runtime: string): typeof anyTest | typeof anyTest.skip {
  if (process.env[runtime]) return anyTest;
  skipAloud(`the client on another runtime: ${runtime} names no program of it (npm install ${runtime.toLowerCase()})`);
  return anyTest.skip;
}

describe('the client', () => {
  const calls = routesInOrder.filter(({ reply }) => reply.type === undefined);
  it.each(calls.map((route) => [route.operationId, route] as const))('%s does what it says', async (name, route) => {
    const { params, body } = callOf(route, ids);
    const hasParams = route.path.includes('{') || route.query !== undefined;
    const given = [...(hasParams ? [params] : []), ...(body ? [body] : [])];
    const answer = await (client[name as keyof typeof client] as AnyCall)(...given);
    expect(answer.status).toBe(route.reply.status);
    expect(answer.limits?.minute.remaining).toBeGreaterThan(0);
  });

  it('each: every email once, over as many pages as there are', async () => {
    const seen: string[] = [];
    for await (const { id } of each(client.listEmails, { limit: 1 })) seen.push(id);
    expect(seen.length).toBeGreaterThan(2);
    expect(new Set(seen).size).toBe(seen.length);
  });

  it('has no dependencies', () => {
    expect(JSON.parse(readRepositoryFile('libs/client/package.json'))).not.toHaveProperty('dependencies');
  });
});

describe('the examples of its page', () => {
  const codes = [...readRepositoryFile('libs/client/README.md').matchAll(/```js\n(.*?)```/gs)].map(
    ([, code]) => code ?? '',
  );
  const examples = codes.map((code, at) => [at + 1, code] as const);
  const inOwnFolder = async (code: string, file: string, runFile: (path: string) => ReturnType<typeof run>) => {
    const folder = mkdtempSync(join(ROOT, 'test/clients/example-'));
    try {
      writeFileSync(join(folder, file), code);
      const outcome = await runFile(join(folder, file));
      expect(outcome).toMatchObject({ code: 0 });
      expect(outcome.output).not.toContain('false');
    } finally {
      rmSync(folder, { recursive: true });
    }
  };

  // As users have it: what is published, compiled.
  const built = mkdtempSync(join(tmpdir(), 'postroom-client-'));
  beforeAll(() => {
    writeFileSync(join(built, 'package.json'), '{ "type": "module" }');
    const options = ['-p', join(ROOT, 'libs/client/tsconfig.build.json'), '--outDir', built];
    execFileSync(join(ROOT, 'node_modules/.bin/tsc'), options);
  });
  afterAll(() => rmSync(built, { recursive: true }));
  const published = JSON.stringify(pathToFileURL(join(built, 'client.js')));
  it.each(examples)('example %i runs', (at, code) =>
    inOwnFolder(code.replace("'@postroom/client'", published), `${at}.mjs`, (path) => run(process.execPath, [path])),
  );

  // Where the package stands, in its sources: these read TypeScript.
  const source = JSON.stringify(pathToFileURL(join(ROOT, 'libs/client/src/client.ts')));
  for (const [runtime, args] of Object.entries(RUNTIMES))
    whenThereIs(runtime).each(examples)(`example %i runs on ${runtime}`, (at, code) =>
      inOwnFolder(
        code.replace("'@postroom/client'", source).replace('readme-example', `${runtime}-example`),
        `${at}.mjs`,
        (path) => run(process.env[runtime] as string, [...args, path]),
      ),
    );
});

/** A program of its own, as a user's would be. */
function run(program: string, args: string[]): Promise<{ code: number | null; output: string }> {
  const env = { ...process.env, POSTROOM_URL: stack.baseUrl, POSTROOM_KEY: key };
  const child = spawn(program, args, { cwd: ROOT, env });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece) => (output += String(piece)));
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, output })));
}
