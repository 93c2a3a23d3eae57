import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from '@jest/globals';
import { apply, described, type Mirror, withFlagsRead } from '../../support/feed-mirror.ts';
import { createTestWorkspace, type TestWorkspace } from '../../support/workspace.ts';
import { arriveAll, type Arriving } from './arriving.ts';
import { changesBehind, type Folders, listed } from './mirror.ts';
import { changeAtRandom, randomOf, type Things } from './random-changes.ts';
import type { MirrorWorld } from './worlds.ts';

interface MirrorSize {
  seed: number;
  emails: number;
  /** The kills of each service. */
  kills: number;
}

const { POSTROOM_FULL, MIRROR_SEED, MIRROR_EMAILS, MIRROR_KILLS } = process.env;

/** By the variables of the same names, or the full size, or a small one. */
export const MIRROR_SIZE: MirrorSize = {
  seed: Number(MIRROR_SEED ?? Date.now() % 1_000_000),
  emails: Number(MIRROR_EMAILS ?? (POSTROOM_FULL ? 2_000 : 100)),
  kills: Number(MIRROR_KILLS ?? (POSTROOM_FULL ? 100 : 1)),
};

const CLIENTS = 20;
/** The longest pause of a client, so that all of them together leave units of the workspace for the listing. */
const PAUSE_MS = 6_000;
const PROVIDER_PAUSE_MS = 1_000;
const TOLD_EVERY = 10;
/** So long nothing new comes before the feed counts as whole. */
const CONVERGING_MS = 300_000;
const NOW = { since: { $case: 'now', value: true }, limit: 1 } as const;

/** Clients change emails at random while mail arrives and services die. The mirror of the feed then equals the listing. */
export async function playMirror(
  world: MirrorWorld,
  open: (workspace: TestWorkspace) => Promise<Arriving>,
  { seed, emails, kills }: MirrorSize,
): Promise<void> {
  const random = randomOf(seed);
  const play = await openPlay(world, open);
  const { arriving } = play;
  await arriveAll(arriving, 0, emails / 2);
  await emailsCome(play, emails / 2);

  const clients = startClients(play, random);
  const { nextSeq } = await world.callers().changes.listChanges(NOW, { workspaceId: play.workspaceId });
  const mirror = await play.listed();
  const arrival = arriveAll(arriving, emails / 2, emails);
  for (let kill = 1; kill <= kills; kill += 1) {
    await world.killEach(random);
    if (kill % TOLD_EVERY === 0) tell(`seed=${seed} each service was killed ${kill} times`);
  }
  await arrival;
  await emailsCome(play, emails);
  const calls = await clients.end();

  const feed = await converged(play, mirror, nextSeq);
  const all = await play.feedBehind(0);
  expect(all.map(({ seq }) => seq)).toEqual(all.map((_, n) => n + 1));
  expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
  const truth = await play.listed();
  const { successes, atProvider } = calls;
  tell(
    `seed=${seed} emails=${truth.size} kills=${kills} calls=${successes} at the provider=${atProvider} changes=${all.length}`,
  );
  expect(described(applied(mirror, feed, truth))).toEqual(described(truth));
  expect(truth.size).toBe(emails);
  await arriving.close();
}

const tell = (words: string) => process.stderr.write(`mirror: ${words}\n`);

type Play = Awaited<ReturnType<typeof openPlay>>;

async function openPlay(world: MirrorWorld, open: (workspace: TestWorkspace) => Promise<Arriving>) {
  const client = (key: string) => world.callers().client(key);
  const workspace = await createTestWorkspace({ ...world.callers(), client });
  const { id: workspaceId, keys } = workspace;
  const { label } = (await workspace.write.post('/labels', { name: 'First', color: 'Red' })).body;
  const things: Things = { emailIds: [], labelIds: [label.id] };
  const arriving = await open(workspace);
  const foldersOf = async (): Promise<Folders> => {
    const { items } = (await repeated(() => client(keys.read).get('/mailboxes'))).body;
    const mailbox = items.find(({ id }: { id: string }) => id === arriving.mailboxId);
    return new Map(mailbox.folders.map(({ id, type }: { id: string; type: string }) => [id, type]));
  };
  return {
    workspaceId,
    arriving,
    things,
    writer: () => client(keys.write),
    listed: async () => listed(client(keys.read), await foldersOf()),
    feedBehind: (seq: number) => repeated(() => changesBehind(world.callers().changes, workspaceId, seq)),
  };
}

function startClients({ writer, things, arriving }: Play, random: (below: number) => number) {
  let isOver = false;
  const again = async (change: () => Promise<boolean>, pauseMs: number): Promise<number> => {
    let done = 0;
    while (!isOver) {
      done += (await change().catch(() => false)) ? 1 : 0;
      await sleep(random(pauseMs));
    }
    return done;
  };
  const clients = Array.from({ length: CLIENTS }, () =>
    again(() => changeAtRandom(writer(), things, random), PAUSE_MS),
  );
  const provider = again(async () => {
    await arriving.changeAtProvider?.(random);
    return arriving.changeAtProvider !== undefined;
  }, PROVIDER_PAUSE_MS);
  return {
    /** Returns the changes that succeeded. */
    end: async () => {
      isOver = true;
      const successes = (await Promise.all(clients)).reduce((sum, done) => sum + done, 0);
      return { successes, atProvider: await provider };
    },
  };
}

/** Everything that has arrived is listed. Clients change those from then on. */
async function emailsCome({ things, listed: list }: Play, count: number): Promise<void> {
  while (things.emailIds.length < count) {
    await sleep(2_000);
    const found = await list().catch(() => undefined);
    if (found) things.emailIds = [...found.keys()];
  }
}

async function converged({ feedBehind, listed: list }: Play, mirror: Mirror, seq: number) {
  for (const end = performance.now() + CONVERGING_MS; ;) {
    const before = await feedBehind(seq);
    await sleep(2_000);
    const after = await feedBehind(seq);
    const truth = await list();
    const isSame = described(applied(mirror, after, truth)).join() === described(truth).join();
    if (performance.now() > end || (after.length === before.length && isSame)) return after;
  }
}

function applied(mirror: Mirror, feed: Parameters<typeof apply>[1][], truth: Mirror): Mirror {
  const copy: Mirror = new Map([...mirror].map(([id, email]) => [id, { ...email, tags: new Set(email.tags) }]));
  for (const change of feed) apply(copy, change);
  return withFlagsRead(copy, truth);
}

/** Until it succeeds: a service that has just been started may not answer yet. */
async function repeated<T>(call: () => Promise<T>): Promise<T> {
  for (;;) {
    const answer = await call().catch(() => undefined);
    const { status = 200 } = (answer ?? {}) as { status?: number };
    if (answer !== undefined && status === 200) return answer;
    await sleep(500);
  }
}
