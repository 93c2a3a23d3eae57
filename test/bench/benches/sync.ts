import { IncomingMessage } from '@postroom/proto/postroom/v1/mailbox_write';
import { createInFlight } from '@postroom/runtime/in-flight';
import { mailServer, type MailServer } from '../../engines/support/mail-server.ts';
import { startSyncedStack, type SyncedStack } from '../../engines/support/synced-mailbox.ts';
import type { TestWorkspace } from '../../support/workspace.ts';
import type { Bench } from '../bench.ts';
import { lacksMailServer } from '../lacks.ts';
import { type BenchDatabase, openBenchDatabase } from '../bench-database.ts';
import { ownMicros } from '../own-micros.ts';

const AT_MOST = 1.3;
const BATCH = 100;
const AT_ONCE = 3;
const WARM_UP = 500;
/** A message of a large mailbox is to cost what one of this many costs. */
const FEW = 1_000;
const MOST_GROWTH = 1.2;
const POLL_MS = 250;

interface World {
  stack: SyncedStack;
  workspace: TestWorkspace;
  server: MailServer;
  database: BenchDatabase;
}

/** A first sync against handing the same mail to mailbox-write, as an import does: what the provider's side of it costs. */
export const sync: Bench = {
  name: 'sync',
  title: 'a first sync from a mail server, against an import of the same mail (IMAP_ADDR, MAIL_CONTROL)',
  lacks: lacksMailServer,
  run: async (config, print) => {
    const { imapAddress = '', mailControl = '', sizes } = config;
    const count = sizes[0] ?? 10_000;
    const database = await openBenchDatabase(config, 0, () => undefined);
    const stack = await startSyncedStack({ SENT_SCAN: '60s', FOLDER_SCAN: '5m' }, { mongodbUri: database.uri });
    const workspace = await stack.workspace();
    const world = { stack, workspace, server: mailServer(imapAddress, mailControl), database };
    try {
      await importOf(world, await mailOf(world, WARM_UP));
      await syncOf(world, await loaded(world, WARM_UP), WARM_UP);
      const user = await loaded(world, count);
      const raws = await rawsOf(world, user);
      const bare = await costOf(world, () => rawsOf(world, user));
      const imported = await costOf(world, () => importOf(world, raws));
      const few = await loaded(world, FEW);
      const syncedFew = await costOf(world, () => syncOf(world, few, FEW));
      const synced = await costOf(world, () => syncOf(world, user, count));
      for (const [name, cost] of Object.entries({ 'the bare loop of imapflow': bare, import: imported, sync: synced }))
        print(
          `  ${name.padEnd(26)} ${(cost.micros / count).toFixed(0)} us each, ${(count / cost.seconds).toFixed(0)}/s`,
        );
      const ratio = synced.micros / imported.micros;
      print(`  sync / import ${ratio.toFixed(2)}, at most ${AT_MOST}`);
      const growth = synced.micros / count / (syncedFew.micros / FEW);
      print(
        `  each of ${FEW} costs ${(syncedFew.micros / FEW).toFixed(0)} us; of ${count} ${growth.toFixed(2)} times that, at most ${MOST_GROWTH}`,
      );
      return ratio <= AT_MOST && growth <= MOST_GROWTH;
    } finally {
      await stack.close();
      await database.close();
    }
  },
};

/** Of this process, in which all services run, and of the database. */
async function costOf({ database }: World, work: () => Promise<unknown>) {
  const before = ownMicros() + (await database.micros());
  const since = Date.now();
  await work();
  return { micros: ownMicros() + (await database.micros()) - before, seconds: (Date.now() - since) / 1_000 };
}

async function loaded({ server }: World, count: number): Promise<string> {
  const user = await server.user();
  await server.control('message', 'load', user, 'INBOX', String(count));
  return user;
}

const mailOf = async (world: World, count: number) => rawsOf(world, await loaded(world, count));

async function rawsOf({ server }: World, user: string): Promise<Buffer[]> {
  const client = await server.client(user);
  await client.mailboxOpen('INBOX');
  const raws: Buffer[] = [];
  const wanted = { uid: true, flags: true, internalDate: true, source: true } as const;
  for await (const { source } of client.fetch('1:*', wanted)) if (source) raws.push(source);
  client.close();
  return raws;
}

async function importOf({ stack, workspace }: World, raws: readonly Buffer[]): Promise<void> {
  const { id: mailboxId } = await workspace.connectMailbox();
  const inFlight = createInFlight(AT_ONCE);
  const call = { workspaceId: workspace.id, deadline: Date.now() + 3_600_000 };
  for (let from = 0; from < raws.length; from += BATCH) {
    const messages = raws
      .slice(from, from + BATCH)
      .map((raw, at) =>
        IncomingMessage.create({ sourceKey: `${mailboxId}:${from + at}`, raw, folderType: 'INBOX', isHistory: true }),
      );
    await inFlight.add(async () => void (await stack.mailboxWrite.ingest({ mailboxId, messages }, call)));
  }
  await inFlight.drain();
}

async function syncOf({ stack, workspace, server }: World, user: string, count: number): Promise<void> {
  const mailbox = await stack.connectUser(workspace, user, server.address);
  for (;;) {
    const { folders } = await mailbox.state();
    const inbox = folders.find(({ type }) => type === 'INBOX');
    if (inbox?.isComplete && inbox.done >= count) break;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  await stack.workspaces.disconnectMailbox({ mailboxId: mailbox.id }, {});
}
