import { mailServer } from '../../engines/support/mail-server.ts';
import { startSyncedStack } from '../../engines/support/synced-mailbox.ts';
import type { Bench } from '../bench.ts';
import { openBenchDatabase } from '../bench-database.ts';
import { shareOf } from '../compare.ts';
import { lacksMailServer } from '../lacks.ts';

const COUNT = 100;
const MOST_MEDIAN = 2;
const MOST_WORST = 5;
/** Seldom enough for what a workspace may ask in a minute. */
const POLL_MS = 200;
/** Mail of one second has no order among itself. */
const NEWEST = 20;
const PATIENCE_MS = 60_000;

/** From the mail server's answer that it has a new message to the page of the API that shows it. */
export const syncLive: Bench = {
  name: 'sync-live',
  title: 'a message that arrives at a mail server, to the API (IMAP_ADDR, MAIL_CONTROL)',
  lacks: lacksMailServer,
  run: async (config, print) => {
    const { imapAddress = '', mailControl = '' } = config;
    const database = await openBenchDatabase(config, 0, () => undefined);
    // As it is configured elsewhere: nobody looks at anything more often than usual.
    const stack = await startSyncedStack(
      { SENT_SCAN: '60s', FOLDER_SCAN: '5m', POLL: '20s' },
      { mongodbUri: database.uri },
    );
    const server = mailServer(imapAddress, mailControl);
    try {
      const user = await server.user();
      const client = await server.client(user);
      const workspace = await stack.workspace();
      const mailbox = await stack.connectUser(workspace, user, server.address);
      const seconds: number[] = [];
      const arrive = async (subject: string) => {
        await client.append('INBOX', `Subject: ${subject}\r\nMessage-ID: <${subject}-${user}>\r\n\r\nHello`);
        const since = Date.now();
        const isThere = async () => {
          const { body } = await workspace.read.get(`/emails?mailboxId=${mailbox.id}&limit=${NEWEST}`);
          return body.items?.some((email: { subject: string }) => email.subject === subject);
        };
        while (!(await isThere())) {
          if (Date.now() - since > PATIENCE_MS) throw new Error(`${subject} did not arrive`);
          await new Promise((resolve) => setTimeout(resolve, POLL_MS));
        }
        return (Date.now() - since) / 1_000;
      };
      await arrive('first');
      const count = shareOf(config.effort, COUNT);
      for (let n = 0; n < count; n++) seconds.push(await arrive(`mail-${n}`));
      client.close();
      const sorted = seconds.toSorted((one, other) => one - other);
      const [median = NaN, worst = NaN] = [sorted[Math.floor(count / 2)], sorted.at(-1)];
      print(`  ${count} messages: median ${median.toFixed(2)} s, worst ${worst.toFixed(2)} s`);
      print(`  at most ${MOST_MEDIAN} s and ${MOST_WORST} s`);
      return median <= MOST_MEDIAN && worst <= MOST_WORST;
    } finally {
      await stack.close();
      await database.close();
    }
  },
};
