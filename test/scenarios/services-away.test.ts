import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { service as classifier } from '@postroom/classifier/service';
import { encodeEvent } from '@postroom/events/event';
import { memoryBus, type MemoryBus } from '@postroom/events/memory-bus';
import { service as forwarder } from '@postroom/forwarder/service';
import { service as labelRule } from '@postroom/label-rule/service';
import { freePort } from '@postroom/local/free-port';
import type { EmailDocument } from '@postroom/mail-store/documents/email';
import { service as mailboxWrite } from '@postroom/mailbox-write/service';
import { systemClock } from '@postroom/runtime/clock';
import { silentLog } from '@postroom/runtime/log';
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

beforeAll(async () => {
  bus = memoryBus({ clock: systemClock, log: silentLog });
  database = await openTestDatabase();
  const names = ['LABEL_RULE', 'OUTBOUND_SEND', 'MAILBOX_WRITE', 'VIEW_FILTER'];
  const addresses = await Promise.all(
    names.map(async (name) => [`${name}_ADDR`, `127.0.0.1:${await freePort(0)}`] as const),
  );
  variables = { MONGODB_URI: database.uri, HOST: '127.0.0.1', ...Object.fromEntries(addresses) };
});
afterAll(async () => {
  for (const context of opened.reverse()) await context.lifecycle.close();
  await database.close();
  await bus.close();
});

async function open<C, O>(definition: ServiceDefinition<C, O>, address?: string): Promise<ServiceContext> {
  const context = { ...createServiceContext({ name: definition.name, logLevel: 'silent' }), bus };
  opened.push(context);
  const port = address?.split(':')[1];
  await definition.open(definition.config.parse({ ...variables, ...(port && { GRPC_PORT: port }) }), context);
  return context;
}
const pageOf = ({ metrics }: ServiceContext) => metrics.render();
const store = async (parts: Partial<EmailDocument>) => {
  const email = emailDocument({ workspaceId, mailboxId, ...parts });
  await database.collections.emails.create([email]);
  return email._id;
};
/** It has met that somebody is away, and holds that against no event. */
const waits = async (context: ServiceContext) => {
  await eventually(async () => expect(await pageOf(context)).toMatch(/outcome="waiting"/), 60_000);
  expect(await pageOf(context)).not.toMatch(/^postroom_events_(retries|dead_letters)_total/m);
};

describe('an event whose services are away', () => {
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
    }, 60_000);
  }, 150_000);

  it('waits for mailbox-write without an attempt, and its email is classified once that is back', async () => {
    const emailId = await store({ subject: 'lunch', awaitsClassificationSince: new Date() });
    const context = await open(classifier);
    const data = { emailId, mailboxId, folderType: 'INBOX' };
    const event = { id: 'evt_2', workspaceId, occurredAt: new Date(), type: 'email.received', data } as const;
    await bus.publish('email.received', [encodeEvent(event)]);
    await waits(context);
    await open(mailboxWrite, variables.MAILBOX_WRITE_ADDR);
    await eventually(async () => {
      const email = await database.collections.emails.findOne({ workspaceId, _id: emailId }).lean();
      expect(email?.classifiedAt).toBeInstanceOf(Date);
    }, 60_000);
  }, 150_000);
});
