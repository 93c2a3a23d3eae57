import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '@postroom/local/free-port';
import { openMailStore } from '@postroom/mail-store/connection';
import type { MailboxDocument } from '@postroom/mail-store/documents/mailbox';
import { migrate } from '@postroom/mail-store/migrations/migrate';
import {
  IncomingMessage,
  MailboxWriteOperatorServiceDefinition,
  MailboxWriteServiceDefinition,
} from '@postroom/proto/postroom/v1/mailbox_write';
import { connect } from '@postroom/rpc/connect';
import type { Client } from '@postroom/rpc/definition';
import type { ServiceContext } from '@postroom/runtime/service';
import { createServiceContext } from '@postroom/runtime/service-context';
import { startEmbeddedProcess } from '../engines/support/embedded-process.ts';
import { compose } from './compose.ts';
import { hostileMessages } from './hostile.ts';

/**
 * Weighs every hostile message on a mailbox-write of its own: how long it takes, how much memory the process takes
 * beyond what it had, and how long others wait meanwhile. Fails when one of them goes past what is promised.
 *   node --conditions=@postroom/source -r @postroom/from-source/register test/mail/hostile-weight.ts
 */
const LIMITS = { seconds: 5, megabytes: 256 };
const MAIN = join(__dirname, '../../services/mailbox-write/src/main.ts');
const WORKSPACE = 'wsp_hostile';
const TOKEN = 'operators';
const FOLDERS = ['INBOX'] as const;

/** A larger message gets its own process, so that it cannot reuse the memory of another message. */
const LARGE = 1_000_000;

interface Running {
  service: Client<typeof MailboxWriteServiceDefinition>;
  operators: Client<typeof MailboxWriteOperatorServiceDefinition>;
  pid: number;
  close(): void;
}

interface Weight {
  name: string;
  outcome: string;
  seconds: number;
  megabytes: number;
  slowestAnswer: number;
}

const mailbox: MailboxDocument = {
  _id: 'mbx_hostile',
  workspaceId: WORKSPACE,
  email: 'me@example.com',
  emailKey: 'me@example.com',
  recipientKeys: [],
  name: null,
  provider: 'development',
  status: 'active',
  aliases: [],
  folders: FOLDERS.map((type) => ({ id: `fld_${type}`, name: type, type })),
  server: null,
  credentials: null,
  lastSyncedAt: null,
  createdAt: new Date(),
};

async function startService(uri: string, context: ServiceContext): Promise<Running> {
  const [port, operatorPort] = await Promise.all([freePort(0), freePort(0)]);
  const args = ['--conditions=@postroom/source', '-r', require.resolve('@postroom/from-source/register'), MAIN];
  const listeners = { GRPC_PORT: `${port}`, OPERATOR_PORT: `${operatorPort}`, OPERATOR_TOKEN: TOKEN, ADMIN_PORT: '0' };
  const settings = { MONGODB_URI: uri, HOST: '127.0.0.1', ...listeners, LOG_LEVEL: 'fatal' };
  const child = spawn(process.execPath, args, { env: { ...process.env, ...settings }, stdio: 'inherit' });
  const service = connect(MailboxWriteServiceDefinition, `127.0.0.1:${port}`, { context });
  const address = `127.0.0.1:${operatorPort}`;
  const operators = connect(MailboxWriteOperatorServiceDefinition, address, { context, token: TOKEN });
  const close = () => {
    service.close();
    operators.close();
    child.kill('SIGKILL');
  };
  const running = { service, operators, pid: child.pid as number, close };
  while (!(await operators.listQuarantinedMessages({ limit: 1 }, { workspaceId: WORKSPACE }).catch(() => undefined))) {
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  // The process takes extra time and memory for its first messages, whatever they contain.
  for (let n = 0; n < 5; n += 1) await weigh(running, `warm ${n} ${port}`, compose({}));
  return running;
}

const megabytes = (pid: number, field: 'VmRSS' | 'VmHWM'): number =>
  Number(new RegExp(`${field}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;

/** Makes the kernel forget the highest memory so far. */
const forgetPeak = (pid: number): void => writeFileSync(`/proc/${pid}/clear_refs`, '5');

async function weigh({ service, operators, pid }: Running, name: string, raw: Buffer): Promise<Weight> {
  const call = { workspaceId: WORKSPACE, deadline: Date.now() + 60_000 };
  const message = IncomingMessage.create({ sourceKey: name, raw, folderType: 'INBOX' });
  forgetPeak(pid);
  const before = megabytes(pid, 'VmRSS');
  const started = performance.now();
  let isDone = false;
  const ingesting = service.ingest({ mailboxId: mailbox._id, messages: [message] }, call).finally(() => {
    isDone = true;
  });
  let slowestAnswer = 0;
  while (!isDone) {
    const asked = performance.now();
    await operators.listQuarantinedMessages({ mailboxId: mailbox._id, limit: 1 }, call);
    slowestAnswer = Math.max(slowestAnswer, performance.now() - asked);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  const { outcomes } = await ingesting;
  const seconds = (performance.now() - started) / 1_000;
  return {
    name,
    outcome: outcomes[0]?.outcome ?? 'nothing',
    seconds,
    megabytes: megabytes(pid, 'VmHWM') - before,
    slowestAnswer,
  };
}

function report(weights: readonly Weight[]): void {
  const line = ({ name, outcome, seconds, megabytes: size, slowestAnswer }: Weight) =>
    `${seconds.toFixed(2).padStart(6)} s ${size.toFixed(0).padStart(5)} MB  others waited ${slowestAnswer.toFixed(0).padStart(5)} ms  ${outcome.padEnd(9)} ${name}`;
  for (const field of ['seconds', 'megabytes', 'slowestAnswer'] as const) {
    console.log(`-- the five with the most ${field}`);
    for (const weight of weights.toSorted((a, b) => b[field] - a[field]).slice(0, 5)) console.log(line(weight));
  }
  const beyond = weights.filter((one) => one.seconds > LIMITS.seconds || one.megabytes > LIMITS.megabytes);
  const quarantined = weights.filter(({ outcome }) => outcome === 'quarantined').length;
  console.log(`${weights.length} messages, ${quarantined} quarantined, ${beyond.length} beyond what is promised`);
  if (beyond.length > 0) process.exitCode = 1;
}

async function weighAll(start: () => Promise<Running>): Promise<Weight[]> {
  const weights: Weight[] = [];
  const shared = await start();
  for (const make of hostileMessages) {
    const { name, raw: makeRaw } = make();
    const raw = makeRaw();
    const running = raw.length > LARGE ? await start() : shared;
    weights.push(await weigh(running, name, raw));
    if (running !== shared) running.close();
  }
  shared.close();
  return weights;
}

async function main(): Promise<void> {
  const database = await startEmbeddedProcess(undefined);
  const context = createServiceContext({ name: 'weight', logLevel: 'silent' });
  const { connection, collections } = await openMailStore({ uri: database.uri, needsSchema: false }, context);
  await migrate(connection, context);
  await collections.mailboxes.create([mailbox]);
  report(await weighAll(() => startService(database.uri, context)));
  await context.lifecycle.close();
  await database.kill();
}

void main();
