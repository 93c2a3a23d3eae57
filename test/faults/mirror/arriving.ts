import { setTimeout as sleep } from 'node:timers/promises';
import { createTransport } from 'nodemailer';
import type { ImapFlow } from 'imapflow';
import { PASSWORD, type MailServer } from '../../engines/support/mail-server.ts';
import { rawMessage } from '../../support/message.ts';
import type { TestWorkspace } from '../../support/workspace.ts';
import type { MirrorWorld } from './worlds.ts';

/** A mailbox of the workspace, and how mail comes into it. */
export interface Arriving {
  mailboxId: string;
  /** One message, in this one of two ways. Throws where it is not certain that it came, or that it comes. */
  arrive(n: number): Promise<void>;
  close(): Promise<void>;
}

/** Straight into the service that stores mail, as a synchronization brings it. A message that is not answered comes again. */
export async function arrivingByIngest(world: MirrorWorld, workspace: TestWorkspace): Promise<Arriving> {
  const { id: mailboxId } = await workspace.connectMailbox();
  const messages = new Map<number, ReturnType<typeof rawMessage>>();
  return {
    mailboxId,
    arrive: async (n) => {
      const message = messages.get(n) ?? rawMessage({ isHistory: n % 2 === 0 });
      messages.set(n, message);
      const call = { workspaceId: workspace.id };
      const { outcomes } = await world.callers().mailboxWrite.ingest({ mailboxId, messages: [message] }, call);
      if (!outcomes[0]?.emailId) throw new Error('the message was not stored');
    },
    close: async () => undefined,
  };
}

/** By a real mail server: one by SMTP, the next by another program of its owner over IMAP. */
export async function arrivingByServer(
  world: MirrorWorld,
  workspace: TestWorkspace,
  server: MailServer,
  smtpAddress: string,
): Promise<Arriving> {
  const user = await server.user();
  const access = { imapAddress: server.address, smtpAddress, user, password: PASSWORD, ca: undefined };
  const mailbox = { workspaceId: workspace.id, email: user, name: undefined, aliases: [], withoutTrash: false };
  const request = { ...mailbox, server: access };
  const { id: mailboxId } = await world.callers().workspaces.connectMailbox(request, { deadline: Date.now() + 60_000 });
  const [host, port] = smtpAddress.split(':');
  const transport = createTransport({
    host: host ?? '',
    port: Number(port),
    secure: false,
    ignoreTLS: true,
    pool: true,
  });
  let imap: ImapFlow = await server.client(user);
  return {
    mailboxId,
    arrive: async (n) => {
      const raw = Buffer.from(rawMessage({ to: user, subject: `Message ${n}` }).raw);
      if (n % 2 === 0) {
        // The server ends a connection that was idle for long.
        if (!imap.usable) imap = await server.client(user);
        await imap.append('INBOX', raw);
      } else await transport.sendMail({ envelope: { from: 'ann@sender.example', to: user }, raw });
    },
    close: async () => {
      transport.close();
      imap.close();
    },
  };
}

/** Brings every message in, however often it takes. */
export async function arriveAll(arriving: Arriving, from: number, to: number): Promise<void> {
  for (let n = from; n < to;)
    await arriving.arrive(n).then(
      () => (n += 1),
      () => sleep(50),
    );
}
