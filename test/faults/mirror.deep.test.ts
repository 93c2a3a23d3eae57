import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { openMailStore } from '@postroom/mail-store/connection';
import { migrate } from '@postroom/mail-store/migrations/migrate';
import { ChangesServiceDefinition } from '@postroom/proto/postroom/v1/changes';
import { MailboxWriteServiceDefinition } from '@postroom/proto/postroom/v1/mailbox_write';
import { WorkspaceOperatorServiceDefinition } from '@postroom/proto/postroom/v1/workspace';
import { connect } from '@postroom/rpc/connect';
import { createServiceContext } from '@postroom/runtime/service-context';
import { makeFirstKey } from '@postroom/secrets/key-folder';
import { apiClient } from '../support/client.ts';
import { rawMessage } from '../support/message.ts';
import { createTestWorkspace } from '../support/workspace.ts';
import { apply, changesBehind, described, listed, type Mirror } from './mirror/mirror.ts';
import { changeAtRandom, randomOf, type Things } from './mirror/random-changes.ts';
import { startStackProcess, type StackProcess } from './mirror/stack-process.ts';
import { startEmbeddedEngine } from './support/embedded-engine.ts';

const { POSTROOM_FULL, MIRROR_SEED, MIRROR_EMAILS, MIRROR_KILLS } = process.env;
const SEED = Number(MIRROR_SEED ?? Date.now() % 1_000_000);
const EMAILS = Number(MIRROR_EMAILS ?? (POSTROOM_FULL ? 2_000 : 200));
const KILLS = Number(MIRROR_KILLS ?? (POSTROOM_FULL ? 100 : 2));
const CLIENTS = 20;
/** The services live so long after they are open. */
const LIFE_MS = 3_000;
const CONVERGING_MS = 60_000;

const random = randomOf(SEED);
const context = createServiceContext({ name: 'test', logLevel: 'silent' });

/** The clients of one process of all services. */
function callersOf({ baseUrl, addresses, operatorToken: token }: StackProcess) {
  return {
    workspaces: connect(WorkspaceOperatorServiceDefinition, addresses.WORKSPACE_OPERATOR_ADDR, { context, token }),
    mailboxWrite: connect(MailboxWriteServiceDefinition, addresses.MAILBOX_WRITE_ADDR, { context }),
    changes: connect(ChangesServiceDefinition, addresses.CHANGES_ADDR, { context }),
    client: (key?: string) => apiClient(baseUrl, key),
  };
}

it(`a mirror that lists once and applies the feed equals the listing, seed ${SEED}`, async () => {
  const keys = await mkdtemp(join(tmpdir(), 'postroom-keys-'));
  await makeFirstKey(keys, '2026-01-01');
  const engine = await startEmbeddedEngine();
  const store = await openMailStore({ uri: engine.uri, needsSchema: false }, context);
  await migrate(store.connection, context);
  let stack = await startStackProcess(engine.uri, keys);
  let callers = callersOf(stack);
  try {
    const workspace = await createTestWorkspace(callers);
    const { id: workspaceId } = workspace;
    const mailbox = await workspace.connectMailbox();
    const folders = new Map(mailbox.folders.map(({ id, type }) => [id, type as string]));
    const { label } = (await workspace.write.post('/labels', { name: 'First', color: 'Red' })).body;
    const things: Things = { emailIds: [], labelIds: [label.id] };
    const arrive = async (count: number, isHistory: boolean) => {
      const messages = Array.from({ length: count }, () => rawMessage({ isHistory }));
      const { outcomes } = await callers.mailboxWrite.ingest({ mailboxId: mailbox.id, messages }, { workspaceId });
      things.emailIds.push(...outcomes.flatMap(({ emailId }) => emailId ?? []));
    };
    for (let left = EMAILS / 2; left > 0; left -= 50) await arrive(Math.min(50, left), true);

    let isOver = false;
    let made = 0;
    const client = async () => {
      while (!isOver)
        await changeAtRandom(callers.client(workspace.keys.write), things, random).then(
          () => (made += 1),
          () => sleep(50),
        );
    };
    const arriving = async () => {
      for (let left = EMAILS / 2; left > 0 && !isOver;)
        await arrive(1, false).then(
          () => (left -= 1),
          () => sleep(50),
        );
    };
    const work = [...Array.from({ length: CLIENTS }, client), arriving()];
    await sleep(200);
    const now = { since: { $case: 'now', value: true }, limit: 1 } as const;
    const { nextSeq } = await callers.changes.listChanges(now, { workspaceId });
    const mirror = await listed(callers.client(workspace.keys.read), folders);
    const killAll = async () => {
      await stack.kill();
      stack = await startStackProcess(engine.uri, keys);
      callers = callersOf(stack);
    };
    for (let kill = 1; kill < KILLS; kill += 1) {
      await sleep(random(LIFE_MS));
      await killAll();
    }
    await sleep(LIFE_MS);
    isOver = true;
    // The last kill comes behind the last change, and gives the callers a new minute.
    await Promise.all([killAll(), ...work]);

    const feed = await converged();
    const all = await changesBehind(callers.changes, workspaceId, 0);
    expect(all.map(({ seq }) => seq)).toEqual(all.map((_, n) => n + 1));
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
    for (const change of feed) apply(mirror, change);
    const truth = await listed(callers.client(workspace.keys.read), folders);
    process.stderr.write(
      `mirror: seed=${SEED} emails=${truth.size} kills=${KILLS} calls=${made} changes=${all.length}\n`,
    );
    expect(described(mirror)).toEqual(described(truth));

    async function converged() {
      for (const end = performance.now() + CONVERGING_MS; ;) {
        const found = await changesBehind(callers.changes, workspaceId, nextSeq);
        await sleep(1_000);
        const later = await changesBehind(callers.changes, workspaceId, nextSeq);
        const copy: Mirror = new Map([...mirror].map(([id, email]) => [id, { ...email, tags: new Set(email.tags) }]));
        for (const change of later) apply(copy, change);
        const truth = await listed(callers.client(workspace.keys.read), folders);
        const isSame = described(copy).join() === described(truth).join();
        if (performance.now() > end || (later.length === found.length && isSame)) return later;
      }
    }
  } finally {
    await stack.kill();
    await store.connection.close();
    await context.lifecycle.close();
    await engine.close();
    await rm(keys, { recursive: true });
  }
}, 7_200_000);
