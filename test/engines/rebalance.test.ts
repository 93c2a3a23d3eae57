import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { Bus, Consumer } from '@postroom/events/bus';
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
if (!brokers) skipAloud('consumers that come and go on Kafka (KAFKA_BROKERS is not given)');

const MAILBOXES = 24;
/** So much waits at any time, until everybody has come and gone. */
const AHEAD = 20 * MAILBOXES;
const HANDLING_MS = 30;

interface Handled {
  pod: string;
  emailId: string;
  mailboxId: string;
}

const emailOf = (at: number) => `eml_${at}`;
const eventOf = (at: number) =>
  encodeEvent({
    id: `evt_${at}`,
    type: 'email.classified',
    workspaceId: 'wsp_1',
    occurredAt: new Date(0),
    data: { emailId: emailOf(at), mailboxId: `mbx_${at % MAILBOXES}`, labelIds: [] },
  });

(brokers ? describe : describe.skip)('consumers of one group, of which some come and some go', () => {
  const prefix = `rebalance-${randomUUID().slice(0, 8)}.`;
  const pods: Bus[] = [];
  const handled: Handled[] = [];
  /** The email in progress for each mailbox, with its pod. */
  const inHand = new Map<string, string>();
  const overlaps: string[] = [];
  const joined = async (pod: string): Promise<Consumer> => {
    const settings = { brokers: brokers ?? [], clientId: pod, prefix };
    const bus = await openKafkaBus({ ...settings, clock: systemClock, log: silentLog });
    pods.push(bus);
    return consumeEvents(
      bus,
      { lifecycle: { add: () => undefined }, clock: systemClock },
      {
        group: 'forwarder',
        type: 'email.classified',
        deadLetters: memoryDeadLetters(),
        concurrency: 4,
        handle: async ({ data: { emailId, mailboxId } }) => {
          const other = inHand.get(mailboxId);
          if (other) overlaps.push(`${emailId} at ${pod} while ${other}`);
          inHand.set(mailboxId, `${emailId} at ${pod}`);
          await new Promise((resolve) => setTimeout(resolve, HANDLING_MS));
          inHand.delete(mailboxId);
          handled.push({ pod, emailId, mailboxId });
        },
      },
    );
  };
  const isAtWork = (pod: string) =>
    eventually(() => expect(handled.slice(-AHEAD).map((one) => one.pod)).toContain(pod), 60_000);

  let published = 0;
  const feed = async (bus: Bus, over: AbortSignal): Promise<void> => {
    while (!over.aborted) {
      if (published - handled.length < AHEAD) {
        const events = Array.from({ length: MAILBOXES }, (_, n) => eventOf(published + n));
        await bus.publish('email.classified', events);
        published += MAILBOXES;
      } else await new Promise((resolve) => setTimeout(resolve, HANDLING_MS));
    }
  };

  let source: Bus;
  beforeAll(async () => {
    const settings = { brokers: brokers ?? [], clientId: 'source', prefix };
    source = await openKafkaBus({ ...settings, clock: systemClock, log: silentLog });
    pods.push(source);
  });
  afterAll(async () => {
    for (const bus of pods) await bus.close();
    await removeTopics(brokers ?? [], prefix);
  });

  it('handle every event, each mailbox in its order and never two of it at once; who goes finishes what it has', async () => {
    const over = new AbortController();
    const feeding = feed(source, over.signal);
    const first = await joined('first');
    for (const pod of ['first', 'second', 'third']) {
      if (pod !== 'first') await joined(pod);
      await isAtWork(pod);
    }
    await first.close();
    expect([...inHand.values()].filter((what) => what.endsWith('first'))).toEqual([]);
    const left = handled.length;
    await eventually(() => expect(handled.length).toBeGreaterThan(left + AHEAD), 60_000);
    over.abort();
    await feeding;
    await eventually(() => expect(new Set(handled.map(({ emailId }) => emailId)).size).toBe(published), 60_000);
    expect(handled.slice(left).filter(({ pod }) => pod === 'first')).toEqual([]);
    expect(overlaps).toEqual([]);
    for (let mailbox = 0; mailbox < MAILBOXES; mailbox += 1) {
      const seen = new Set(handled.flatMap((one) => (one.mailboxId === `mbx_${mailbox}` ? [one.emailId] : [])));
      const wanted = Array.from({ length: published / MAILBOXES }, (_, n) => emailOf(n * MAILBOXES + mailbox));
      expect([...seen]).toEqual(wanted);
    }
    // A pod commits its offsets before it gives a partition up, so no other pod handles an event again. The first batch of a
    // new topic is not looked at: it is written again while some of its partitions have no leader yet.
    const podOf = new Map(handled.map(({ emailId, pod }) => [emailId, pod]));
    const firstBatch = new Set(Array.from({ length: MAILBOXES }, (_, n) => emailOf(n)));
    const moved = handled.filter(({ emailId, pod }) => podOf.get(emailId) !== pod && !firstBatch.has(emailId));
    expect(moved).toEqual([]);
  });
});
