import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { memoryBus, type MemoryBus } from '@postroom/events/memory-bus';
import { service as labelRule } from '@postroom/label-rule/service';
import { freePort } from '@postroom/local/free-port';
import { service as mailboxWrite } from '@postroom/mailbox-write/service';
import { MailboxWriteServiceDefinition } from '@postroom/proto/postroom/v1/mailbox_write';
import { OutboundSendServiceDefinition } from '@postroom/proto/postroom/v1/outbound_send';
import { connect } from '@postroom/rpc/connect';
import { systemClock } from '@postroom/runtime/clock';
import { silentLog } from '@postroom/runtime/log';
import type { ServiceContext, ServiceDefinition } from '@postroom/runtime/service';
import { createServiceContext } from '@postroom/runtime/service-context';
import { eventually } from '../engines/eventually.ts';
import { openTestDatabase, type TestDatabase } from '../support/mail-database.ts';
import { type MailSink, openMailSink } from '../support/mail-sink.ts';
import { rawMessage } from '../support/message.ts';
import { type ServiceProcess, startServiceProcess } from '../support/service-process.ts';
import { skipAloud } from '../support/skips.ts';
import { chartMemory } from './hostile/chart-memory.ts';

const { POSTROOM_FULL } = process.env;
const workspaceId = 'wsp_large';
const mailboxId = 'mbx_large';
const RULE = 'afr_large';
const FAR = 'far@far.example';
const FORWARDS = 4;
/** In base64, and with headers, as large as a message may be. */
const FILE_BYTES = 18_000_000;
const { bytes: limit, heapFlag } = chartMemory('outbound-send');

let bus: MemoryBus;
let database: TestDatabase;
let sink: MailSink;
let outboundSend: ServiceProcess;
let variables: Record<string, string>;
const opened: ServiceContext[] = [];
const context = createServiceContext({ name: 'test', log: silentLog });

async function open<C, O>(definition: ServiceDefinition<C, O>, address = ''): Promise<void> {
  const own = { ...createServiceContext({ name: definition.name, log: silentLog }), bus };
  opened.push(own);
  await definition.open(definition.config.parse({ ...variables, GRPC_PORT: address.split(':')[1] }), own);
}

beforeAll(async () => {
  if (!POSTROOM_FULL) return;
  bus = memoryBus({ clock: systemClock, log: silentLog });
  [database, sink] = await Promise.all([openTestDatabase(), openMailSink()]);
  const names = ['LABEL_RULE', 'OUTBOUND_SEND', 'MAILBOX_WRITE', 'MAILBOX_SYNC', 'VIEW_FILTER'];
  const addresses = await Promise.all(
    names.map(async (name) => [`${name}_ADDR`, `127.0.0.1:${await freePort(0)}`] as const),
  );
  variables = { MONGODB_URI: database.uri, HOST: '127.0.0.1', ...Object.fromEntries(addresses) };
  await open(mailboxWrite, variables['MAILBOX_WRITE_ADDR']);
  await open(labelRule, variables['LABEL_RULE_ADDR']);
  outboundSend = await startServiceProcess('outbound-send', {
    ...variables,
    GRPC_PORT: variables['OUTBOUND_SEND_ADDR']?.split(':')[1] ?? '',
    DEVELOPMENT_SMTP_ADDR: sink.address,
    SENDS_PER_MAILBOX: String(FORWARDS),
    NODE_OPTIONS: heapFlag,
  });
  const { workspaces, autoForwardRules, mailboxes } = database.collections;
  const now = new Date();
  await workspaces.create([
    { _id: workspaceId, name: 'Large', plan: 'expert', planUntil: null, suspendedAt: null, createdAt: now },
  ]);
  await autoForwardRules.create([
    {
      _id: RULE,
      workspaceId,
      conditionField: 'subject_contains',
      conditionValue: 'plans',
      forwardTo: FAR,
      mode: 'normal',
      isActive: true,
      createdAt: now,
      updatedAt: now,
    },
  ]);
  await mailboxes.create([
    {
      _id: mailboxId,
      workspaceId,
      email: 'us@x.example',
      emailKey: 'us@x.example',
      name: 'Us',
      recipientKeys: ['us@x.example'],
      provider: 'development',
      status: 'active',
      aliases: [],
      folders: (['INBOX', 'SENT'] as const).map((type) => ({ id: `fld_${type}`, name: type, type })),
      server: null,
      credentials: null,
      lastSyncedAt: null,
      createdAt: now,
    },
  ]);
});
afterAll(async () => {
  await outboundSend?.kill();
  for (const one of [...opened.reverse(), context]) await one.lifecycle.close();
  await Promise.all([database?.close(), sink?.close(), bus?.close()]);
});

/** The most memory that the process has ever had. */
const peakOf = ({ pid }: ServiceProcess) =>
  Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024;

const letter = (n: number) =>
  rawMessage({
    subject: `Plans ${n}`,
    headers: { 'Content-Type': 'multipart/mixed; boundary=b' },
    text: [
      '--b\r\n\r\nthe plans',
      '--b\r\nContent-Type: application/pdf; name=plans.pdf\r\nContent-Disposition: attachment\r\nContent-Transfer-Encoding: base64\r\n',
      Buffer.alloc(FILE_BYTES, n).toString('base64').replace(/.{76}/g, '$&\r\n'),
      '--b--',
    ].join('\r\n'),
  });

if (!POSTROOM_FULL) skipAloud('forwards of the largest messages: a minute, with POSTROOM_FULL');

(POSTROOM_FULL ? it : it.skip).each(['normal', 'invisible'] as const)(
  `${FORWARDS} %s forwards of the largest messages, at once, stay within the memory that the chart gives a pod`,
  async (mode) => {
    const ingest = connect(MailboxWriteServiceDefinition, variables['MAILBOX_WRITE_ADDR'] ?? '', { context });
    const sending = connect(OutboundSendServiceDefinition, variables['OUTBOUND_SEND_ADDR'] ?? '', { context });
    const emailIds: string[] = [];
    for (let n = 0; n < FORWARDS; n += 1) {
      const { outcomes } = await ingest.ingest({ mailboxId, messages: [letter(n)] }, { workspaceId });
      emailIds.push(outcomes[0]?.emailId ?? '');
    }
    const before = sink.caught.length;
    await Promise.all(
      emailIds.map((emailId) =>
        sending.forwardEmail(
          { emailId, ruleId: RULE, forwardTo: FAR, mode },
          { workspaceId, operationId: `forward:${RULE}:${emailId}` },
        ),
      ),
    );
    await eventually(async () => {
      const done = { workspaceId, mode, state: 'recorded' } as const;
      expect(await database.collections.sends.countDocuments(done)).toBe(FORWARDS);
    }, 100_000);
    const sizes = sink.caught.slice(before).map(({ raw }) => raw.length > FILE_BYTES);
    expect(sizes).toEqual(emailIds.map(() => true));
    const peak = peakOf(outboundSend);
    process.stdout.write(`${mode}: ${Math.round(peak / 1048576)} MB of ${Math.round(limit / 1048576)}\n`);
    expect(peak).toBeLessThan(limit);
  },
);
