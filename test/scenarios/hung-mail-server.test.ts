import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { openMailSink, type MailSink } from '../support/mail-sink.ts';
import { startStack, type TestStack } from '../support/stack.ts';
import type { TestWorkspace } from '../support/workspace.ts';

let sink: MailSink;
let stack: TestStack;
let workspace: TestWorkspace;
let hung: Server;
const sockets = new Set<Socket>();
beforeAll(async () => {
  sink = await openMailSink();
  // Takes connections, and never says a word.
  hung = createServer((socket) => sockets.add(socket.on('error', () => undefined)));
  await new Promise<void>((resolve) => hung.listen(0, '127.0.0.1', resolve));
  stack = await startStack({ variables: { DEVELOPMENT_SMTP_ADDR: sink.address, SEND_WORKERS: '2' } });
  workspace = await stack.workspace();
});
afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  hung.close();
  await stack.close();
  await sink.close();
});

const send = ({ send: key }: TestWorkspace, mailboxId: string, subject: string) =>
  key.post('/drafts/send', { mailboxId, to: [{ email: 'b@x.example' }], subject, body: { text: 'x' } });

it('a mail server that never answers holds up its own mailbox alone: not others of its workspace, nor what is read', async () => {
  const { id: wellId } = await workspace.connectMailbox();
  const smtpAddress = `127.0.0.1:${(hung.address() as AddressInfo).port}`;
  const server = { imapAddress: '127.0.0.1:1', smtpAddress, user: 'u', password: 'p' };
  const { id: hungId } = await stack.workspaces.connectMailbox(
    { workspaceId: workspace.id, email: 'hung@example.com', aliases: [], withoutTrash: false, server },
    {},
  );
  const other = await stack.workspace();
  const { id: otherId } = await other.connectMailbox();

  const order: string[] = [];
  const waiting = Array.from({ length: 12 }, async (_, n) => {
    const answer = await send(workspace, hungId, `Hung ${n}`);
    order.push('hung');
    return answer;
  });
  while (sockets.size < 3) await new Promise((resolve) => setTimeout(resolve, 10));
  const answers = await Promise.all([
    ...Array.from({ length: 6 }, (_, n) => send(workspace, wellId, `Well ${n}`)),
    send(other, otherId, 'Other'),
    ...Array.from({ length: 6 }, () => workspace.read.get('/emails')),
  ]);
  order.push('well');
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  expect(sink.caught).toHaveLength(7);

  // Nothing went out: each caller is told so, or has no answer in time where the machine is slow; nobody hears a yes.
  for (const { status, body } of await Promise.all(waiting)) {
    expect([408, 500]).toContain(status);
    if (status === 500) expect(body.error).toMatch(/^Nothing was sent: /);
  }
  expect(order[0]).toBe('well');
  // One mailbox has no more than its connections, however many wait for it.
  expect(sockets.size).toBe(3);
}, 60_000);
