import { randomUUID } from 'node:crypto';
import { expect, it, jest } from '@jest/globals';
import { consumeEvents } from '@postroom/events/consume-events';
import { memoryDeadLetters } from '@postroom/events/memory-dead-letters.test-support';
import { encodeEvent } from '@postroom/events/event';
import { openKafkaBus } from '@postroom/events/kafka-bus';
import { systemClock } from '@postroom/runtime/clock';
import { silentLog } from '@postroom/runtime/log';
import { removeTopics } from '../support/kafka-topics.ts';
import { skipAloud } from '../support/skips.ts';
import { eventually } from './eventually.ts';

// A real engine on a busy machine takes its time.
jest.setTimeout(120_000);

const brokers = process.env['KAFKA_BROKERS']?.split(',');
if (!brokers) skipAloud('a flood on Kafka (KAFKA_BROKERS is not given)');

const FLOOD = 500;
const TENANTS = 10;
const OF_TENANT = 20;
/** More than there are partitions: some share theirs with the flood. */
const OTHERS = 24;
const ALL = FLOOD + TENANTS * OF_TENANT + OTHERS;

const mailsOf = (mailboxId: string, count: number) =>
  Array.from({ length: count }, (_, n) =>
    encodeEvent({
      id: `evt_${mailboxId}_${n}`,
      type: 'email.classified',
      workspaceId: `wsp_${mailboxId}`,
      occurredAt: new Date(0),
      data: { emailId: `eml_${mailboxId}_${n}`, mailboxId, labelIds: [] },
    }),
  );
const many = (count: number, name: string, mails: number) =>
  Array.from({ length: count }, (_, n) => mailsOf(`${name}${n}`, mails)).flat();

(brokers ? it : it.skip)(
  'one email of each mailbox is worked on after the other: who has a single one, behind a flood of one mailbox and ten busy tenants, is not kept waiting for them',
  async () => {
    const prefix = `flood-${randomUUID().slice(0, 8)}.`;
    const settings = { brokers: brokers ?? [], clientId: 'flood', prefix, clock: systemClock, log: silentLog };
    const bus = await openKafkaBus(settings);
    await bus.publish('email.classified', mailsOf('flooded', FLOOD));
    await bus.publish('email.classified', many(TENANTS, 'tenant', OF_TENANT));
    await bus.publish('email.classified', many(OTHERS, 'other', 1));
    const handled: string[] = [];
    const known = new Set<string>();
    await consumeEvents(
      bus,
      { lifecycle: { add: () => undefined }, clock: systemClock },
      {
        group: 'forwarder',
        type: 'email.classified',
        deadLetters: memoryDeadLetters(),
        concurrency: 4,
        orderBy: ({ data }) => data.emailId,
        handle: async ({ data: { emailId, mailboxId } }) => {
          // Kafka can store an event twice whose first answer was lost.
          if (!known.has(emailId)) handled.push(mailboxId);
          known.add(emailId);
          await new Promise((resolve) => setTimeout(resolve, 15));
        },
      },
    );
    await eventually(() => expect(handled).toHaveLength(ALL), 90_000);
    const last = handled.findLastIndex((mailboxId) => mailboxId.startsWith('other'));
    expect(last).toBeLessThan(ALL / 3);
    await bus.close();
    await removeTopics(brokers ?? [], prefix);
  },
);
