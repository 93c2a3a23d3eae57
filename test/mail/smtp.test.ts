import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { memoryBus, type MemoryBus } from '@postroom/events/memory-bus';
import { openDevelopmentMailServer } from '@postroom/local/development-mail-server';
import { Event } from '@postroom/proto/postroom/v1/events';
import { systemClock } from '@postroom/runtime/clock';
import { WorkspaceServiceDefinition } from '@postroom/proto/postroom/v1/workspace';
import { connect } from '@postroom/rpc/connect';
import { createServiceContext } from '@postroom/runtime/service-context';
import { silentLog } from '@postroom/runtime/log';
import { createTransport } from 'nodemailer';
import { startStack, type TestStack } from '../support/stack.ts';
import type { TestWorkspace } from '../support/workspace.ts';

const HOST = '127.0.0.1';
const LIMIT = 100_000;
const PATIENCE_MS = 30_000;

let bus: MemoryBus;
let stack: TestStack;
let workspace: TestWorkspace;
const context = createServiceContext({ name: 'test', log: silentLog });
let server: Awaited<ReturnType<typeof openDevelopmentMailServer>>;
beforeAll(async () => {
  // Some publishes fail, half of those after the broker took them in; a third of the deliveries comes again.
  bus = memoryBus({ clock: systemClock, log: silentLog, faults: { seed: 5, drop: 0.15, repeat: 0.33 } });
  stack = await startStack({ bus });
  workspace = await stack.workspace();
  const { mailboxWrite, addresses } = stack;
  const workspaces = connect(WorkspaceServiceDefinition, addresses.WORKSPACE_ADDR, { context });
  server = await openDevelopmentMailServer({
    host: HOST,
    port: 0,
    workspaces,
    mailboxWrite,
    log: silentLog,
    largestMessage: LIMIT,
  });
});
afterAll(async () => {
  await server.close();
  await context.lifecycle.close();
  await stack.close();
  await bus.close();
});

const transport = () => createTransport({ host: HOST, port: server.port, secure: false, ignoreTLS: true });
const letter = (to: string | string[], subject: string, text = 'Hello.') => ({
  from: 'Ann <ann@sender.example>',
  to,
  subject,
  text,
  messageId: `<${subject}@sender.example>`,
  date: new Date('2026-03-03T10:00:00Z'),
});

/** Repeats a mail while the server answers that it is busy, as mail servers do. */
async function sendUntilTaken(client: ReturnType<typeof transport>, mail: ReturnType<typeof letter>): Promise<void> {
  for (;;) {
    const code = await client.sendMail(mail).then(
      () => 250,
      ({ responseCode }: { responseCode?: number }) => responseCode,
    );
    if (code === 250) return;
    expect(code).toBe(451);
  }
}

async function subjectsOf(mailboxId: string): Promise<string[]> {
  const { body } = await workspace.read.get(`/emails?mailboxId=${mailboxId}&limit=200`);
  return body.items.map(({ subject }: { subject: string }) => subject).sort();
}

async function eventually<T>(read: () => Promise<T> | T, isThere: (seen: T) => boolean): Promise<T> {
  const end = Date.now() + PATIENCE_MS;
  for (;;) {
    const seen = await read();
    if (isThere(seen) || Date.now() > end) return seen;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

const pending = () =>
  stack.collections.emails.countDocuments({ workspaceId: workspace.id, owedSince: { $exists: true } });

/** Counts the event ids on the bus for each email. The bus repeats messages, so an id counts once. */
function receivedOf(mailboxId: string): Record<string, number> {
  const idsByEmail = new Map<string, Set<string>>();
  for (const { id, value } of bus.messagesIn('email.received')) {
    const { data } = Event.decode(value);
    if (data?.$case !== 'emailReceived' || data.value.mailboxId !== mailboxId) continue;
    idsByEmail.set(data.value.emailId, (idsByEmail.get(data.value.emailId) ?? new Set()).add(id));
  }
  return Object.fromEntries([...idsByEmail].map(([emailId, ids]) => [emailId, ids.size]));
}

describe('mail by SMTP, on a bus that loses and repeats', () => {
  it('is in the listing once the client has its 250, and is told of as one email.received each', async () => {
    const mailbox = await workspace.connectMailbox();
    const client = transport();
    const names = Array.from({ length: 16 }, (_, n) => `smtp-${n}`);
    await Promise.all(
      names.map(async (name, n) => {
        await sendUntilTaken(client, letter(mailbox.email, name));
        // Every fourth client did not hear its answer, and sends the same again.
        if (n % 4 === 0) await sendUntilTaken(client, letter(mailbox.email, name));
      }),
    );
    expect(await subjectsOf(mailbox.id)).toEqual(names.toSorted());
    expect(await eventually(pending, (count) => count === 0)).toBe(0);
    const received = receivedOf(mailbox.id);
    expect(Object.keys(received)).toHaveLength(names.length);
    expect(new Set(Object.values(received))).toEqual(new Set([1]));
  });

  it('goes to every mailbox that it names', async () => {
    const [one, other] = [await workspace.connectMailbox(), await workspace.connectMailbox()];
    await transport().sendMail(letter([one.email, other.email], 'both'));
    expect(await subjectsOf(one.id)).toEqual(['both']);
    expect(await subjectsOf(other.id)).toEqual(['both']);
  });

  it('550 for an unknown recipient, 552 for more than the size limit, and neither leaves anything behind', async () => {
    const mailbox = await workspace.connectMailbox();
    const refusal = (message: ReturnType<typeof letter>) =>
      transport()
        .sendMail(message)
        .then(
          () => 'taken',
          (error: { responseCode?: number }) => error.responseCode,
        );
    expect(await refusal(letter('nobody@nowhere.example', 'unknown'))).toBe(550);
    expect(await refusal(letter(mailbox.email, 'large', 'x'.repeat(LIMIT)))).toBe(552);
    expect(await subjectsOf(mailbox.id)).toEqual([]);
  });
});
