import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { freePort } from '@postroom/local/free-port';
import { ComposeRequest, OutboundSendServiceDefinition } from '@postroom/proto/postroom/v1/outbound_send';
import { connect } from '@postroom/rpc/connect';
import { createServiceContext } from '@postroom/runtime/service-context';
import { openMailSink, type MailSink } from '../support/mail-sink.ts';
import { type ServiceProcess, startServiceProcess } from '../support/service-process.ts';
import { startStack, type TestStack } from '../support/stack.ts';
import type { TestWorkspace } from '../support/workspace.ts';

let sink: MailSink;
let stack: TestStack;
let workspace: TestWorkspace;
let hung: Server;
/** The connections that are open now, the most that were open at once, and the number of all. */
const sockets = new Set<Socket>();
let [most, opened] = [0, 0];
const TOKEN = 'access';
const context = createServiceContext({ name: 'test', logLevel: 'silent' });
const processes: ServiceProcess[] = [];
beforeAll(async () => {
  sink = await openMailSink();
  // Takes connections, and never says a word.
  hung = createServer((socket) => {
    opened += 1;
    sockets.add(socket.resume().on('error', () => undefined));
    socket.once('close', () => sockets.delete(socket));
    // The end of the connection before it is read by then.
    setTimeout(() => (most = Math.max(most, sockets.size)), 100);
  });
  await new Promise<void>((resolve) => hung.listen(0, '127.0.0.1', resolve));
  stack = await startStack({
    variables: { DEVELOPMENT_SMTP_ADDR: sink.address, MAILBOX_ACCESS_TOKEN: TOKEN, SEND_WORKERS: '2' },
  });
  workspace = await stack.workspace();
});
afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  hung.close();
  await Promise.all(processes.map((one) => one.kill()));
  await context.lifecycle.close();
  await stack.close();
  await sink.close();
});

const send = ({ send: key }: TestWorkspace, mailboxId: string, subject: string) =>
  key.post('/drafts/send', { mailboxId, to: [{ email: 'b@x.example' }], subject, body: { text: 'x' } });

async function connectHung(email: string): Promise<string> {
  const smtpAddress = `127.0.0.1:${(hung.address() as AddressInfo).port}`;
  const server = { imapAddress: '127.0.0.1:1', smtpAddress, user: 'u', password: 'p' };
  const mailbox = { workspaceId: workspace.id, email, aliases: [], withoutTrash: false, server };
  return (await stack.workspaces.connectMailbox(mailbox, {})).id;
}

it('a mail server that never answers holds up its own mailbox alone: not others of its workspace, nor what is read', async () => {
  const { id: wellId } = await workspace.connectMailbox();
  const hungId = await connectHung('hung@example.com');
  const other = await stack.workspace();
  const { id: otherId } = await other.connectMailbox();

  // So many that whoever stood behind them would have no answer in time.
  const waiting = Array.from({ length: 12 }, (_, n) => send(workspace, hungId, `Hung ${n}`));
  while (opened < 3) await new Promise((resolve) => setTimeout(resolve, 10));
  const answers = await Promise.all([
    ...Array.from({ length: 6 }, (_, n) => send(workspace, wellId, `Well ${n}`)),
    send(other, otherId, 'Other'),
    ...Array.from({ length: 6 }, () => workspace.read.get('/emails')),
  ]);
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  expect(sink.caught).toHaveLength(7);

  // Nothing went out: each caller is told so, or has no answer in time where the machine is slow; nobody hears a yes.
  for (const { status, body } of await Promise.all(waiting)) {
    expect([408, 500]).toContain(status);
    if (status === 500) expect(body.error).toMatch(/^Nothing was sent: /);
  }
  // One mailbox has no more than its connections at once, however many wait for it.
  expect(most).toBe(3);
});

/** A service in a process of its own, and how it is asked to send. */
async function startSender() {
  const port = String(await freePort(0));
  const one = await startServiceProcess('outbound-send', {
    ...stack.addresses,
    MONGODB_URI: stack.mongodbUri,
    GRPC_PORT: port,
    MAILBOX_ACCESS_TOKEN: TOKEN,
    DEVELOPMENT_SMTP_ADDR: sink.address,
    SEND_LEASE: '2s',
  });
  processes.push(one);
  const client = connect(OutboundSendServiceDefinition, `127.0.0.1:${port}`, { context });
  const sendBy = (workspaceId: string, mailboxId: string, subject: string) => {
    const message = { mailboxId, to: [{ email: 'b@x.example' }], subject, body: { text: 'x' } };
    const answer = client.sendEmail(ComposeRequest.create(message), { workspaceId, operationId: subject });
    return answer.then(
      () => 'sent',
      (error: Error) => error.message,
    );
  };
  return { kill: one.kill, sendBy };
}

it('holds up its own mailbox alone through two processes as well: together they open no more connections to it, and one that dies frees them', async () => {
  const [here, there] = await Promise.all([startSender(), startSender()]);
  const [{ id: wellId }, hungId] = [await workspace.connectMailbox(), await connectHung('hung-too@example.com')];
  const other = await stack.workspace();
  const { id: otherId } = await other.connectMailbox();
  for (const socket of sockets) socket.destroy();
  opened = 0;
  sink.caught.length = 0;
  const reached = async (count: number) => {
    while (opened < count) await new Promise((resolve) => setTimeout(resolve, 10));
  };

  void Promise.all([1, 2, 3].map((n) => here.sendBy(workspace.id, hungId, `held ${n}`)));
  await reached(3);
  void there.sendBy(workspace.id, hungId, 'waits');
  const well = [here, there].flatMap(({ sendBy }, n) => [
    sendBy(workspace.id, wellId, `well ${n}`),
    sendBy(other.id, otherId, `other ${n}`),
  ]);
  expect(await Promise.all(well)).toEqual(['sent', 'sent', 'sent', 'sent']);
  expect(sink.caught).toHaveLength(4);
  // Two processes of three each would have opened a fourth by now.
  expect(opened).toBe(3);
  await here.kill();
  // The permits of the killed process expire, and then the other process can send again.
  for (let n = 0; opened < 4; n += 1)
    await Promise.race([there.sendBy(workspace.id, hungId, `after ${n}`), reached(4)]);
});
