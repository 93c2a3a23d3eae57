import { freePort } from '@postroom/local/free-port';
import { startSyncedStack, type SyncedStack } from '../../engines/support/synced-mailbox.ts';
import { openGmail } from '../../support/gmail.ts';
import type { Bench } from '../bench.ts';
import { openBenchDatabase } from '../bench-database.ts';
import { shareOf } from '../compare.ts';
import { lacksBuild } from '../lacks.ts';
import { type ServiceProcess, startService } from '../service-process.ts';

const MEGABYTE = 1_048_576;
const MAILBOXES = 1_000;
/** Mailboxes between two progress lines with memory figures. */
const TOLD_EVERY = 100;
const OF_A_WORKSPACE = 50;
const AT_ONCE = 5;
const MOST = 300;
const TOKEN = 'bench';
const POLL_MS = 500;
const METRICS = ['process_resident_memory_bytes', 'nodejs_heap_used_bytes'];

/** Measures the memory of mailbox-sync with idle mailboxes. The mail server is a fake and does not use TLS. */
export const syncIdle: Bench = {
  name: 'sync-idle',
  title: `resident memory of mailbox-sync as built, with ${MAILBOXES} idle mailboxes ("npm run build" first)`,
  lacks: lacksBuild,
  run: async (config, print) => {
    const database = await openBenchDatabase(config, 0, () => undefined);
    const stack = await startSyncedStack(
      { MAX_MAILBOXES: '0', MAILBOX_ACCESS_TOKEN: TOKEN },
      { mongodbUri: database.uri },
    );
    const server = await openGmail();
    server.add(Buffer.from('Subject: one\r\nMessage-ID: <one@mail.test>\r\n\r\nHello'), ['\\Inbox']);
    let pod: ServiceProcess | undefined;
    try {
      const mailboxes = shareOf(config.effort, MAILBOXES);
      await connectMailboxes(stack, server.address, mailboxes);
      pod = await startPod(stack, database.uri);
      const stored = () => stack.collections.emails.countDocuments({});
      for (let told = 0, count = 0; count < mailboxes; count = await stored()) {
        await new Promise((resolve) => setTimeout(resolve, POLL_MS));
        if (count < told + TOLD_EVERY) continue;
        told = count;
        print(`  ${count} taken in: ${await sizesOf(pod)}`);
      }
      print(`  all taken in: ${await sizesOf(pod)}`);
      const megabytes = await mostWithin(config.minutes, pod);
      print(`  at rest: ${await sizesOf(pod)}`);
      print(
        `  with ${mailboxes} mailboxes at most ${megabytes.toFixed(0)} MB in ${config.minutes} minutes; at most ${MOST}`,
      );
      return megabytes <= MOST;
    } finally {
      await pod?.close();
      await server.close();
      await stack.close();
      await database.close();
    }
  },
};

async function startPod({ addresses }: SyncedStack, mongodbUri: string): Promise<ServiceProcess> {
  return startService('mailbox-sync', await freePort(0), {
    MONGODB_URI: mongodbUri,
    MAILBOX_WRITE_ADDR: addresses.MAILBOX_WRITE_ADDR,
    WORKSPACE_OPERATOR_ADDR: addresses.WORKSPACE_OPERATOR_ADDR,
    MAILBOX_ACCESS_TOKEN: TOKEN,
    GRPC_PORT: '0',
  });
}

async function connectMailboxes(stack: SyncedStack, address: string, count: number): Promise<void> {
  for (let n = 0; n < count; n += OF_A_WORKSPACE) {
    const workspace = await stack.workspace();
    for (let one = n; one < Math.min(n + OF_A_WORKSPACE, count); one += AT_ONCE) {
      const users = Array.from({ length: AT_ONCE }, (_, next) => `user-${one + next}@mail.test`);
      await Promise.all(users.map((user) => stack.connectUser(workspace, user, address)));
    }
  }
}

async function sizesOf(pod: ServiceProcess): Promise<string> {
  const megabytes = async (metric: string) => ((await pod.metric(metric)) / MEGABYTE).toFixed(0);
  const [resident, used] = await Promise.all(METRICS.map(megabytes));
  return `${resident} MB, ${used} MB of the heap in use`;
}

async function mostWithin(minutes: number, pod: ServiceProcess): Promise<number> {
  let most = 0;
  for (const end = Date.now() + minutes * 60_000; Date.now() < end;) {
    most = Math.max(most, (await pod.memory()) / MEGABYTE);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  return most;
}
