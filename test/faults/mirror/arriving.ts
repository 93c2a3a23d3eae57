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
  /** Another program of the owner moves or marks a message at the provider. Absent where there is no provider. */
  changeAtProvider?(random: (below: number) => number): Promise<void>;
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
  const appending = connectionOf(server, user);
  const moving = connectionOf(server, user);
  return {
    mailboxId,
    arrive: async (n) => {
      const raw = Buffer.from(rawMessage({ to: user, subject: `Message ${n}` }).raw);
      if (n % 2 === 0) await (await appending.usable()).append('INBOX', raw);
      else await transport.sendMail({ envelope: { from: 'ann@sender.example', to: user }, raw });
    },
    changeAtProvider: async (random) => moveOrMark(await moving.usable(), random),
    close: async () => {
      transport.close();
      for (const { close } of [appending, moving]) close();
    },
  };
}

/** The server ends a connection that was idle for long. */
function connectionOf(server: MailServer, user: string) {
  let imap: ImapFlow | undefined;
  return {
    usable: async () => (imap?.usable ? imap : (imap = await server.client(user))),
    close: () => imap?.close(),
  };
}

const BESIDE_INBOX = 'Archive';

async function moveOrMark(imap: ImapFlow, random: (below: number) => number): Promise<void> {
  const [from, to] = random(2) === 0 ? ['INBOX', BESIDE_INBOX] : [BESIDE_INBOX, 'INBOX'];
  const lock = await imap.getMailboxLock(from);
  try {
    const uids = (await imap.search({ all: true }, { uid: true })) || [];
    const uid = uids[random(uids.length)];
    if (uid === undefined) return;
    const byUid = { uid: true };
    const changes = [
      () => imap.messageMove(`${uid}`, to, byUid),
      () => imap.messageFlagsAdd(`${uid}`, ['\\Seen'], byUid),
      () => imap.messageFlagsRemove(`${uid}`, ['\\Seen'], byUid),
    ];
    await changes[random(changes.length)]?.();
  } finally {
    lock.release();
  }
}

/** Brings every message in, however often it takes. */
export async function arriveAll(arriving: Arriving, from: number, to: number): Promise<void> {
  for (let n = from; n < to;)
    await arriving.arrive(n).then(
      () => (n += 1),
      () => sleep(50),
    );
}
