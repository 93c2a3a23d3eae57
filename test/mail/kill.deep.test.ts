import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { freePort } from '@postroom/local/free-port';
import { IncomingMessage, MailboxWriteServiceDefinition } from '@postroom/proto/postroom/v1/mailbox_write';
import { connect } from '@postroom/rpc/connect';
import { createServiceContext } from '@postroom/runtime/service-context';
import { rawMessage } from '../support/message.ts';
import { untilTaken } from '../support/until-taken.ts';
import { type MailService, startMailService } from './mail-service.ts';

const MAIN = join(__dirname, '../../services/mailbox-write/src/main.ts');
const COUNT = 300;
const BATCH = 50;
const KILLS = 2;

let mail: MailService;
let victim: ChildProcess | undefined;
beforeAll(async () => {
  mail = await startMailService({ keepsEvents: true });
});
afterAll(async () => {
  victim?.kill('SIGKILL');
  await mail.close();
});

const drawn = (n: number) =>
  rawMessage({ messageId: `<k${n}@x.example>`, inReplyTo: `<k${n - (n % 7)}@x.example>`, date: new Date(n * 1_000) });

/** The service as a process of its own, which can be killed like one. */
async function startVictim(port: number): Promise<void> {
  const args = ['--conditions=@postroom/source', '-r', require.resolve('@postroom/from-source/register'), MAIN];
  const env = {
    ...process.env,
    MONGODB_URI: mail.uri,
    HOST: '127.0.0.1',
    GRPC_PORT: `${port}`,
    ADMIN_PORT: '0',
    LOG_LEVEL: 'fatal',
  };
  victim = spawn(process.execPath, args, { env, stdio: 'ignore' });
}

describe('kill -9 of the service in the middle of taking mail in', () => {
  it('a source that repeats itself ends with every message once, its body beside it, and nothing else', async () => {
    const context = createServiceContext({ name: 'source', logLevel: 'silent' });
    const mailbox = await mail.mailbox();
    const { workspaceId, _id: mailboxId } = mailbox;
    const messages = Array.from({ length: COUNT }, (_, n) =>
      // Every message answers one that may have been lost with the process, and every tenth comes a second time.
      IncomingMessage.create({ ...drawn(n % 10 === 9 ? n - 1 : n), sourceKey: `k${n}` }),
    );
    const port = await freePort(0);
    await startVictim(port);
    const client = connect(MailboxWriteServiceDefinition, `127.0.0.1:${port}`, { context });

    let kills = 0;
    for (let start = 0; start < COUNT; start += BATCH) {
      const request = { mailboxId, messages: messages.slice(start, start + BATCH) };
      if (kills < KILLS && start >= (COUNT / KILLS) * kills) {
        kills += 1;
        setTimeout(() => victim?.kill('SIGKILL'), kills * 12);
        // The process is busy or dead already. In both cases the source does not learn the outcome.
        await client.ingest(request, { workspaceId, deadline: Date.now() + 5_000 }).catch(() => undefined);
        victim?.kill('SIGKILL');
        await startVictim(port);
      }
      await untilTaken(() => client.ingest(request, { workspaceId, deadline: Date.now() + 5_000 }));
    }
    client.close();

    const expected = COUNT - COUNT / 10;
    const ids = (await mail.collections.emails.find({ workspaceId }, { _id: 1 }).lean<{ _id: string }[]>()).map(
      ({ _id }) => _id,
    );
    const bodies = await mail.collections.bodies.find({ workspaceId }, { _id: 1 }).lean<{ _id: string }[]>();
    expect(ids).toHaveLength(expected);
    expect(bodies.map(({ _id }) => _id).sort()).toEqual(ids.toSorted());
    expect(await mail.collections.quarantinedMessages.countDocuments({ workspaceId })).toBe(0);
    // No process of this test handles the events, so each email still has its own, whatever the killed relays had published.
    expect(await mail.collections.emails.countDocuments({ workspaceId, owedSince: { $exists: true } })).toBe(expected);
  });
});
