import type { UnpublishedMessage } from '@postroom/events/bus';
import { openKafka } from '@postroom/events/kafka-client';
import { openBus } from '@postroom/events/open-bus';
import type { Topic } from '@postroom/events/topics';
import { Event } from '@postroom/proto/postroom/v1/events';
import { silentLog } from '@postroom/runtime/log';
import { createServiceContext } from '@postroom/runtime/service-context';
import { removeTopics } from '../../support/kafka-topics.ts';
import type { Bench } from '../bench.ts';
import { compare, type Contender } from '../compare.ts';
import { bareConsumer, bareProducer, ourConsumer, type Reader } from '../event-readers.ts';
import { lacksKafka } from '../lacks.ts';
import { ownMicros } from '../own-micros.ts';

const COUNT = 20_000;
const BATCH = 500;
const MAILBOXES = 200;
/** 0.4 of the throughput, as a cost: what a message may cost us, held against a loop that does nothing with it. */
const MOST = { atMost: 1 / 0.4 };

/** The bus with a handler that answers at once, beside the shortest loop that kafkajs allows; then the way in. */
export const events: Bench = {
  name: 'events',
  title:
    'consume and produce over the bus, against bare kafkajs; at least 0.4 of its throughput is at most 2.5 of its cost',
  lacks: lacksKafka,
  run: async ({ kafkaBrokers: brokers = [], effort }, print) => {
    const prefix = `bench-${process.pid}.`;
    const context = createServiceContext({ name: 'bench', logLevel: 'silent' });
    const bus = await openBus({ brokers, prefix, context });
    const kafka = openKafka({ brokers, clientId: 'bench' }, silentLog);
    const closing: (() => Promise<unknown>)[] = [];

    const consume = async (name: string, topic: Topic, reader: Reader): Promise<Contender> => {
      closing.push(reader.close);
      reader.pause();
      return { name, run: (count) => costOfReading(count, reader, (messages) => bus.publish(topic, messages)) };
    };
    const produce = (name: string, publish: (messages: UnpublishedMessage[]) => Promise<unknown>): Contender => ({
      name,
      run: async (count) => {
        const messages = someMessages(count);
        const before = ownMicros();
        await inBatches(messages, publish);
        return ownMicros() - before;
      },
    });
    try {
      const consumption = {
        ours: await consume('bus', 'email.received', await ourConsumer(bus, 'email.received')),
        oursAgain: await consume('bus, again', 'email.updated', await ourConsumer(bus, 'email.updated')),
        others: [await consume('bare loop', 'email.deleted', await bareConsumer(kafka, `${prefix}email.deleted`))],
        targets: [{ against: 'bare loop', ...MOST }],
        count: COUNT,
        effort,
      };
      const consumed = await compare('events consumed', consumption, print);
      const producer = await bareProducer(kafka, `${prefix}label.applied`);
      closing.push(producer.close);
      const production = {
        ours: produce('bus', (messages) => bus.publish('label.applied', messages)),
        oursAgain: produce('bus, again', (messages) => bus.publish('label.applied', messages)),
        others: [produce('bare producer', producer.publish)],
        targets: [{ against: 'bare producer', ...MOST }],
        count: COUNT,
        effort,
      };
      return (await compare('events produced', production, print)) && consumed;
    } finally {
      for (const close of closing) await close();
      await bus.close();
      await removeTopics(brokers, prefix);
    }
  },
};

/** Measures consumption alone: all messages are published before the reader starts. */
async function costOfReading(
  count: number,
  reader: Reader,
  publish: (messages: UnpublishedMessage[]) => Promise<unknown>,
): Promise<number> {
  await inBatches(someMessages(count), publish);
  const before = ownMicros();
  await reader.read(count);
  const cost = ownMicros() - before;
  reader.pause();
  return cost;
}

async function inBatches(
  messages: UnpublishedMessage[],
  publish: (messages: UnpublishedMessage[]) => Promise<unknown>,
): Promise<void> {
  for (let at = 0; at < messages.length; at += BATCH) await publish(messages.slice(at, at + BATCH));
}

/** As the relay makes them: an email that came in, keyed by its mailbox. */
function someMessages(count: number): UnpublishedMessage[] {
  const occurredAt = new Date('2026-03-01T00:00:00Z');
  return Array.from({ length: count }, (_, at) => {
    const id = `evt_${at.toString().padStart(22, '0')}`;
    const mailboxId = `mbx_${(at % MAILBOXES).toString().padStart(22, '0')}`;
    const emailReceived = { emailId: `eml_${at.toString().padStart(22, '0')}`, mailboxId, folderType: 'INBOX' };
    const event = Event.create({
      id,
      workspaceId: 'wsp_bench',
      occurredAt: occurredAt.toISOString(),
      data: { $case: 'emailReceived', value: emailReceived },
    });
    return { id, key: mailboxId, type: 'email.received', occurredAt, value: Event.encode(event).finish() };
  });
}
