import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { freePort } from '@postroom/local/free-port';
import { openEventStream } from '../support/event-stream.ts';
import { endServiceProcesses, startServiceProcess, type ServiceProcess } from '../support/service-process.ts';
import { startStack, type TestStack } from '../support/stack.ts';
import type { TestWorkspace } from '../support/workspace.ts';

const KILLS = process.env.POSTROOM_FULL ? 60 : 3;
const NAMES = ['first gateway', 'changes', 'other gateway'] as const;

let stack: TestStack;
let home: TestWorkspace;
let mailboxId: string;
/** Two gateways, and the pod of the feed that both of them ask. */
const processes = new Map<string, { process: ServiceProcess; start: () => Promise<ServiceProcess> }>();
const urls: string[] = [];

beforeAll(async () => {
  stack = await startStack();
  home = await stack.workspace();
  mailboxId = (await home.connectMailbox()).id;
  const [grpc, ...http] = [await freePort(0), await freePort(0), await freePort(0)];
  const common = { MONGODB_URI: stack.mongodbUri, ...stack.addresses, CHANGES_ADDR: `127.0.0.1:${grpc}` };
  const environments = [
    { ...common, FEATURES: 'changes', HTTP_PORT: String(http[0]) },
    { ...common, GRPC_PORT: String(grpc) },
    { ...common, FEATURES: 'changes', HTTP_PORT: String(http[1]) },
  ];
  for (const [at, name] of NAMES.entries()) {
    const start = () => startServiceProcess(name === 'changes' ? name : 'gateway', environments[at] ?? {});
    processes.set(name, { process: await start(), start });
  }
  urls.push(...http.map((port) => `http://127.0.0.1:${port}/api/v1/changes/stream`));
});
afterAll(async () => {
  endServiceProcesses();
  await stack.close();
});

/** A client as docs/changes.md has it: it comes back with its last id, to a gateway or the other. */
function follow(start: string) {
  const seen: number[] = [];
  let lastId = start;
  let isOver = false;
  let connections = 0;
  const run = async () => {
    while (!isOver) {
      const headers = { authorization: `Bearer ${home.keys.read}`, 'last-event-id': lastId };
      const stream = await openEventStream(urls[connections++ % urls.length] ?? '', headers).catch(() => undefined);
      if (stream?.status === 200) {
        while (!isOver) {
          const known = stream.events().length;
          const hasEnded = await Promise.race([
            stream.ended.then(
              () => true,
              () => true,
            ),
            stream.until(known + 1).then(() => false),
            new Promise<boolean>((resolve) => setTimeout(resolve, 200, false)),
          ]);
          if (hasEnded) break;
        }
        for (const { id, data } of stream.events()) {
          seen.push(data.seq);
          lastId = id;
        }
        stream.close();
      }
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  };
  const running = run();
  return { seen, connections: () => connections, end: () => ((isOver = true), running) };
}

it('a client of streams hears of every change once, in order, while gateways and the feed are killed', async () => {
  const { nextCursor: start } = (await home.read.get('/changes?since=now')).body;
  const client = follow(start);
  for (let kill = 0; kill < KILLS; kill += 1) {
    await home.ingest(mailboxId, [{}, {}, {}]);
    const victim = processes.get(NAMES[kill % NAMES.length] ?? '');
    if (!victim) throw new Error('nobody to kill');
    await victim.process.kill();
    await home.ingest(mailboxId, [{}, {}]);
    victim.process = await victim.start();
  }
  const told = async () => (await home.read.get(`/changes?since=${start}&limit=500`)).body.items.length as number;
  while ((await told()) < 5 * KILLS) await new Promise((resolve) => setTimeout(resolve, 100));
  // Its last stream has told the rest by then, or the one that it opens next does.
  await new Promise((resolve) => setTimeout(resolve, 3_000));
  await client.end();
  const all = Array.from({ length: 5 * KILLS }, (_, n) => n + 1);
  expect(client.seen).toEqual(all);
  expect(client.connections()).toBeGreaterThan(1);
});
