import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { service as classifier } from '@postroom/classifier/service';
import { memoryBus } from '@postroom/events/memory-bus';
import { service as forwarder } from '@postroom/forwarder/service';
import { freePort } from '@postroom/local/free-port';
import { wordModelVariables } from '@postroom/local/word-model/word-model';
import { service as mailboxWrite } from '@postroom/mailbox-write/service';
import { service as outboundSend } from '@postroom/outbound-send/service';
import { manualClock, systemClock } from '@postroom/runtime/clock';
import { silentLog } from '@postroom/runtime/log';
import type { ServiceContext, ServiceDefinition } from '@postroom/runtime/service';
import { createServiceContext } from '@postroom/runtime/service-context';
import { eventually } from '../engines/eventually.ts';
import { type MailSink, openMailSink } from '../support/mail-sink.ts';
import { startStack, type TestStack } from '../support/stack.ts';
import { alwaysAvailable } from '../../services/classifier/src/classify/in-memory.test-support.ts';
import { observeWaiting } from '../../services/classifier/src/pending/observe-waiting.ts';
import { createUnclassifiedStore } from '../../services/classifier/src/pending/pending-store.ts';
import { createSendStore } from '../../services/outbound-send/src/stored-sends/send-store.ts';
import { observeSends } from '../../services/outbound-send/src/sending/observe-sends.ts';

let sink: MailSink;
let stack: TestStack;
beforeAll(async () => {
  sink = await openMailSink();
  stack = await startStack({ variables: { DEVELOPMENT_SMTP_ADDR: sink.address } });
});
afterAll(async () => {
  await stack.close();
  await sink.close();
});

/** One more pod of a service, which hears of no event, and rests a hundredth of the time. */
async function openAnother<C, O>({ name, config, open }: ServiceDefinition<C, O>): Promise<ServiceContext> {
  const clock = { ...systemClock, sleep: (ms: number, signal?: AbortSignal) => systemClock.sleep(ms / 100, signal) };
  const context = createServiceContext({ name, log: silentLog, clock });
  const bus = memoryBus({ clock, log: silentLog });
  const model = await wordModelVariables();
  const variables = { ...stack.addresses, ...model, MONGODB_URI: stack.mongodbUri, HOST: '127.0.0.1' };
  await open(config.parse({ ...variables, GRPC_PORT: String(await freePort(0)) }), { ...context, bus });
  return context;
}

describe('the figures of the pipeline', () => {
  it('tell how many emails and messages are late, and since when the first of them', async () => {
    const workspace = await stack.workspace();
    const mailbox = await workspace.connectMailbox();
    const rule = { conditionField: 'subject_contains', conditionValue: 'late', forwardTo: 'x@defer.example' };
    await workspace.send.post('/auto-forward-rules', rule);
    const [late, later] = await workspace.ingest(mailbox.id, [{ subject: 'late' }, { subject: 'later' }]);
    const deferred = { workspaceId: workspace.id, state: 'scheduled', attempts: 1 } as const;
    const { emails, sends } = stack.collections;
    await eventually(async () => expect(await sends.countDocuments(deferred)).toBe(2), 60_000);
    // Two minutes on, and neither email was ever classified; the second came half a minute before now.
    const since = Date.now();
    const waits = (_id: string | undefined, from: number) =>
      Promise.all([
        emails.updateOne({ _id }, { $set: { awaitsClassificationSince: new Date(from) } }),
        sends.updateOne(
          { sourceEmailId: _id },
          { $set: { createdAt: new Date(from), scheduledSendAt: new Date(from) } },
        ),
      ]);
    await Promise.all([waits(late, since), waits(later, since + 90_000)]);
    const clock = manualClock(since + 120_000);
    const context = createServiceContext({ name: 'watched', log: silentLog, clock });
    observeWaiting(createUnclassifiedStore(stack.collections), { availability: alwaysAvailable }, context);
    observeSends(createSendStore(stack.collections), context);
    const page = await context.metrics.page();
    expect(page).toMatch(/^postroom_unfinished_emails\{.*\} 2$/m);
    expect(page).toMatch(/^postroom_unfinished_oldest_seconds\{.*\} 120$/m);
    expect(page).toMatch(/^postroom_sends_unfinished\{kind="forward",.*\} 2$/m);
    expect(page).toMatch(/^postroom_sends_oldest_seconds\{kind="forward",.*\} 120$/m);
    expect(page).toMatch(/^postroom_sends_unfinished\{kind="reply",.*\} 0$/m);
  });

  it('are each on the page of the service that knows them', async () => {
    const lag = 'postroom_events_lag';
    const known: [() => Promise<ServiceContext>, string[]][] = [
      [
        () => openAnother(classifier),
        ['postroom_unfinished_emails', 'postroom_unfinished_oldest_seconds', 'postroom_model_available', lag],
      ],
      [() => openAnother(forwarder), [lag]],
      [() => openAnother(outboundSend), ['postroom_sends_unfinished', 'postroom_sends_oldest_seconds', lag]],
      [() => openAnother(mailboxWrite), ['postroom_events_owed']],
    ];
    for (const [open, figures] of known) {
      const { metrics, lifecycle } = await open();
      const page = await metrics.page();
      expect(figures.filter((name) => !page.includes(`\n${name}{`))).toEqual([]);
      await lifecycle.close();
    }
  });
});

it('an email whose event was lost is classified all the same, by the poll of any classifier', async () => {
  const workspace = await stack.workspace();
  const mailbox = await workspace.connectMailbox();
  const [emailId] = await workspace.ingest(mailbox.id, [{ subject: 'lost' }]);
  const of = { _id: emailId };
  const { emails } = stack.collections;
  const isClassified = async () => expect((await emails.findOne(of).lean())?.classifiedAt).toBeInstanceOf(Date);
  await eventually(isClassified, 60_000);
  const awaitsClassificationSince = new Date(Date.now() - 600_000);
  await emails.updateOne(of, { $set: { awaitsClassificationSince }, $unset: { classifiedAt: 1 } });
  const { lifecycle } = await openAnother(classifier);
  await eventually(isClassified, 20_000);
  await lifecycle.close();
});
