import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { ServiceName } from '@postroom/local/services';
import { type Clock, systemClock } from '@postroom/runtime/clock';
import { eventually } from '../engines/eventually.ts';
import { type Collector, startCollector } from '../support/collector.ts';
import { type FakeModel, startFakeModel } from '../support/fake-model.ts';
import { type MailSink, openMailSink } from '../support/mail-sink.ts';
import { startStack, type TestStack } from '../support/stack.ts';
import { untilTaken } from '../support/until-taken.ts';
import type { TestWorkspace } from '../support/workspace.ts';

const WAYS = {
  'that a rule forwards': [
    'Invoice',
    [
      'process email.received',
      'MailboxWriteService/RecordClassification',
      'process email.classified',
      'OutboundSendService/ForwardEmail',
      'send',
      'smtp deliver',
      'MailboxWriteService/StoreOutgoing',
      'LabelRuleService/RecordForward',
    ],
  ],
  'that a rule answers': [
    'Question',
    [
      'process email.received',
      'OutboundSendService/ScheduleReply',
      'MailboxWriteService/RecordClassification',
      'process email.classified',
      'send',
      'smtp deliver',
      'MailboxWriteService/StoreOutgoing',
    ],
  ],
} as const;

let collector: Collector;
let sink: MailSink;
let model: FakeModel;
let stack: TestStack;
let workspace: TestWorkspace;
let mailboxId: string;
beforeAll(async () => {
  [collector, sink] = await Promise.all([startCollector(), openMailSink()]);
  model = await startFakeModel(({ rules, email }) =>
    rules.map(({ rule_id, condition }) => {
      return { rule_id, applies: email.subject.includes(condition), confidence: 95, reason: 'it says so' };
    }),
  );
  const variables = { DEVELOPMENT_SMTP_ADDR: sink.address, LLM_BASE_URL: model.baseUrl };
  // A classification that takes seconds on a busy machine renews its lease, which is a command more for each renewal.
  const rarely: Clock = { ...systemClock, sleep: (ms, signal) => systemClock.sleep(20 * ms, signal) };
  const clock = (service: ServiceName) => (service === 'classifier' ? rarely : systemClock);
  stack = await startStack({ clock, otlpEndpoint: collector.endpoint, variables });
  workspace = await stack.workspace();
  mailboxId = (await workspace.connectMailbox({ email: 'bob@example.com' })).id;
  const rule = (condition: string, extra: object) =>
    workspace.send.post('/ai-label-rules', { name: condition, color: 'Pink', condition, ...extra });
  await rule('Invoice', {});
  await rule('Question', { autoDraftEnabled: true, autoReplyEnabled: true, autoReplyDelayMinutes: 0 });
  await workspace.send.post('/auto-forward-rules', { conditionValue: 'Invoice', forwardTo: 'far@trace.example' });
}, 60_000);
afterAll(async () => {
  await stack.close();
  await Promise.all([collector.close(), sink.close(), model.close()]);
});

type Spans = ReturnType<Collector['spans']>;

const takeIn = (kind: string, from: string) =>
  untilTaken(() => workspace.ingest(mailboxId, [{ subject: `${kind} of ${from}`, from, messageId: `<${from}>` }]));

/** The traces of mail that came in since, each email's own: who asks again finds it there. */
function tracesOtherThan(seen: ReadonlySet<string>): Spans[] {
  const spans = collector.spans();
  const made = spans.filter(({ name, traceId }) => name === 'insert emails' && !seen.has(traceId));
  const ids = [...new Set(made.map(({ traceId }) => traceId))];
  const traces = ids.map((id) => spans.filter(({ traceId }) => traceId === id));
  return traces.filter((trace) => trace.some(({ name }) => name === 'MailboxWriteService/Ingest'));
}

const known = () => new Set(collector.spans().map(({ traceId }) => traceId));

// On a real broker, only the headers of the messages connect the producer's spans with the consumer's.
it.each(Object.entries(WAYS))(
  'an email %s is one trace from its coming in over both topics to its leaving, and each email has its own',
  async (_which, [kind, way]) => {
    const seen = known();
    // The emails arrive together, so that the relay publishes the events of several in one batch.
    await Promise.all([1, 2, 3].map((n) => takeIn(kind, `${kind}${n}@near.example`)));
    await eventually(() => {
      const traces = tracesOtherThan(seen);
      expect(traces).toHaveLength(3);
      for (const spans of traces) expect(spans.map(({ name }) => name)).toEqual(expect.arrayContaining([...way]));
    }, 60_000);
  },
  90_000,
);

/** Each is a round trip, and some of the processor on both sides of it: one more is to be a decision. */
// An email that a forward rule may apply to pays two more: its attempt is counted, so that its forwarder's death is.
// The feed costs two or three commands for each batch of changes. In one process it is chance which events share a batch, so the
// feed has a bound of its own there: three commands for each of its events. A broker brings each event alone.
const { KAFKA_BROKERS } = process.env;
const MOST = KAFKA_BROKERS ? { Plain: 25, Invoice: 68, Question: 74 } : { Plain: 16, Invoice: 42, Question: 49 };
const MOST_OF_FEED = { Plain: 6, Invoice: 9, Question: 12 } as const;
const isOfFeed = (name: string) => name.endsWith(' changes');
const isCounted = (name: string) => KAFKA_BROKERS !== undefined || !isOfFeed(name);
const LAST = { Plain: 'process email.classified', Invoice: 'smtp deliver', Question: 'smtp deliver' } as const;
const ATTEMPTS = [1, 2, 3];

it.each(Object.entries(MOST) as [keyof typeof MOST, number][])(
  '%s: an email costs no more than %d commands of the database, where nothing is tried twice',
  async (kind, most) => {
    let fewest: string[] = [];
    for (const attempt of ATTEMPTS) {
      const seen = known();
      await takeIn(kind, `${kind}${attempt}@alone.example`);
      const trace = () => tracesOtherThan(seen).flat();
      await eventually(() => expect(trace().map(({ name }) => name)).toContain(LAST[kind]), 60_000);
      // Commands can follow the last step, and the services export their spans only once a second.
      await new Promise((resolve) => setTimeout(resolve, 2_500));
      const spans = trace().filter(({ attributes }) => attributes.some(({ key }) => key === 'db.system.name'));
      const names = spans.map(({ name }) => name);
      const commands = names.filter(isCounted);
      if (!KAFKA_BROKERS) expect(names.filter(isOfFeed).length).toBeLessThanOrEqual(MOST_OF_FEED[kind]);
      if (attempt === 1 || commands.length < fewest.length) fewest = commands;
      if (fewest.length <= most) return;
    }
    expect(fewest).toHaveLength(most);
  },
  300_000,
);
