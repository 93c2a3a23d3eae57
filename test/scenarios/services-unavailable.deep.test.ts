import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { service as classifier } from '@postroom/classifier/service';
import { encodeEvent } from '@postroom/events/event';
import { memoryBus, type MemoryBus } from '@postroom/events/memory-bus';
import { service as forwarder } from '@postroom/forwarder/service';
import { service as labelRule } from '@postroom/label-rule/service';
import { freePort } from '@postroom/local/free-port';
import { wordModelVariables } from '@postroom/local/word-model/word-model';
import type { EmailDocument } from '@postroom/mail-store/documents/email';
import { service as mailboxWrite } from '@postroom/mailbox-write/service';
import { service as outboundSend } from '@postroom/outbound-send/service';
import { systemClock } from '@postroom/runtime/clock';
import { createLog } from '@postroom/runtime/log';
import type { ServiceContext, ServiceDefinition } from '@postroom/runtime/service';
import { createServiceContext } from '@postroom/runtime/service-context';
import { eventually } from '../engines/eventually.ts';
import { emailDocument } from '../support/email-document.ts';
import { openTestDatabase, type TestDatabase } from '../support/mail-database.ts';

const workspaceId = 'wsp_test';
const mailboxId = 'mbx_test';
let bus: MemoryBus;
let database: TestDatabase;
let variables: Record<string, string>;
const opened: ServiceContext[] = [];
/** Warnings of the bus about its consumers. */
const said: string[] = [];

beforeAll(async () => {
  bus = memoryBus({ clock: systemClock, log: createLog('bus', 'warn', { write: (line) => void said.push(line) }) });
  database = await openTestDatabase();
  const names = ['LABEL_RULE', 'OUTBOUND_SEND', 'MAILBOX_WRITE', 'MAILBOX_SYNC', 'VIEW_FILTER'];
  const addresses = await Promise.all(
    names.map(async (name) => [`${name}_ADDR`, `127.0.0.1:${await freePort(0)}`] as const),
  );
  const model = await wordModelVariables();
  variables = { MONGODB_URI: database.uri, HOST: '127.0.0.1', ...model, ...Object.fromEntries(addresses) };
});
// Each test has its own consumers. One that stays open would take the events of the next test.
afterEach(async () => {
  for (const context of opened.splice(0).reverse()) await context.lifecycle.close();
});
afterAll(async () => {
  await database.close();
  await bus.close();
});

async function open<C, O>(definition: ServiceDefinition<C, O>, address?: string): Promise<ServiceContext> {
  const context = { ...createServiceContext({ name: definition.name, logLevel: 'silent' }), bus };
  opened.push(context);
  const port = address?.split(':')[1] ?? String(await freePort(0));
  await definition.open(definition.config.parse({ ...variables, GRPC_PORT: port }), context);
  return context;
}
const pageOf = ({ metrics }: ServiceContext) => metrics.page();
const store = async (parts: Partial<EmailDocument>) => {
  const email = emailDocument({ workspaceId, mailboxId, ...parts });
  await database.collections.emails.create([email]);
  return email._id;
};
/** It has met that a service is unavailable, and counts no attempt of an event. */
const waits = async (context: ServiceContext) => {
  await eventually(async () => expect(await pageOf(context)).toMatch(/outcome="waiting"/), 60_000);
  expect(await pageOf(context)).not.toMatch(/^postroom_events_(retries|dead_letters)_total/m);
};

describe('an event whose services are unavailable', () => {
  it('waits for label-rule without an attempt, and its line is in the log once that is back', async () => {
    const now = new Date();
    const rule = { _id: 'afr_1', workspaceId, conditionField: 'subject_contains', conditionValue: 'ring' } as const;
    const rest = {
      forwardTo: 'a@far.example',
      mode: 'normal',
      isActive: true,
      createdAt: now,
      updatedAt: now,
    } as const;
    await database.collections.autoForwardRules.create([{ ...rule, ...rest }]);
    const emailId = await store({ subject: 'ring', isAutomatic: true });
    const context = await open(forwarder);
    const event = { id: 'evt_1', workspaceId, occurredAt: now, data: { emailId, mailboxId, labelIds: [] } };
    await bus.publish('email.classified', [encodeEvent({ ...event, type: 'email.classified' })]);
    await waits(context);
    await open(labelRule, variables.LABEL_RULE_ADDR);
    await eventually(async () => {
      const lines = await database.collections.autoForwardLogs.find({ workspaceId }).lean();
      expect(lines).toMatchObject([{ emailId, status: 'skipped' }]);
    });
  });

  it('waits for outbound-send without an attempt, says so once in the log, and is forwarded once that is back', async () => {
    const now = new Date();
    const home = { workspaceId, isActive: true, mode: 'normal', createdAt: now, updatedAt: now } as const;
    const condition = { conditionField: 'subject_contains', conditionValue: 'books' } as const;
    await database.collections.autoForwardRules.create([
      { ...home, ...condition, _id: 'afr_2', forwardTo: 'books@far.example' },
    ]);
    await database.collections.mailboxes.create([
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
        folders: [],
        server: null,
        credentials: null,
        lastSyncedAt: null,
        createdAt: now,
      },
    ]);
    const emailId = await store({ subject: 'books' });
    const context = await open(forwarder);
    const data = { emailId, mailboxId, labelIds: [] };
    const event = { id: 'evt_3', workspaceId, occurredAt: now, data, type: 'email.classified' } as const;
    await bus.publish('email.classified', [encodeEvent(event)]);
    await waits(context);
    // Often by now, and told of once.
    const metric = /^postroom_events_handled_seconds_count\{.*outcome="waiting".*\} (\d+)$/m;
    await eventually(async () => expect(Number(metric.exec(await pageOf(context))?.[1])).toBeGreaterThan(1), 60_000);
    const lines = said.filter((line) => line.includes('evt_3'));
    expect(lines).toEqual([expect.stringContaining('"msg":"message waits, without an attempt"')]);
    await open(outboundSend, variables.OUTBOUND_SEND_ADDR);
    await eventually(async () => {
      const sends = await database.collections.sends.find({ workspaceId }, { to: 1, kind: 1 }).lean();
      expect(sends).toMatchObject([{ kind: 'forward', to: ['books@far.example'] }]);
    });
    expect(await database.collections.deadLetters.countDocuments({ workspaceId })).toBe(0);
  });

  it('is over, and its email is classified by the poll once mailbox-write is back', async () => {
    const emailId = await store({ subject: 'lunch', awaitsClassificationSince: new Date() });
    const context = await open(classifier);
    const data = { emailId, mailboxId, folderType: 'INBOX' };
    const event = { id: 'evt_2', workspaceId, occurredAt: new Date(), type: 'email.received', data } as const;
    await bus.publish('email.received', [encodeEvent(event)]);
    await eventually(async () => expect(await pageOf(context)).toMatch(/topic="email.received".*outcome="done"/));
    await open(mailboxWrite, variables.MAILBOX_WRITE_ADDR);
    await eventually(async () => {
      const email = await database.collections.emails.findOne({ workspaceId, _id: emailId }).lean();
      expect(email?.classifiedAt).toBeInstanceOf(Date);
    });
    expect(await database.collections.deadLetters.countDocuments({ workspaceId })).toBe(0);
  });
});
