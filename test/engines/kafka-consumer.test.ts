import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { type Admin, type Consumer as KafkaConsumer, type Kafka, KafkaJSConnectionError } from 'kafkajs';
import type { Bus, UnpublishedMessage } from '@postroom/events/bus';
import { groupIdOf, openKafkaBus } from '@postroom/events/kafka-bus';
import { openKafka } from '@postroom/events/kafka-client';
import { systemClock } from '@postroom/runtime/clock';
import { silentLog } from '@postroom/runtime/log';
import { skipAloud } from '../support/skips.ts';
import { eventually } from './eventually.ts';

// A real engine on a busy machine takes its time.
jest.setTimeout(60_000);

const brokers = process.env['KAFKA_BROKERS']?.split(',');
if (!brokers) skipAloud('Kafka consumers (KAFKA_BROKERS is not given)');
const topic = 'email.received';

const message = (at: number): UnpublishedMessage => ({
  id: `${at}`,
  key: `mailbox-${at % 10}`,
  type: topic,
  occurredAt: new Date(1_790_000_000_000),
  value: Buffer.from(`${at}`),
});
const batch = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => message(from + at));

/** LeaveGroup (key 13, version 0) by hand and in another's name: afterwards the broker does not know the member. */
async function expel(groupId: string, memberId: string): Promise<void> {
  const text = (value: string) =>
    Buffer.concat([Buffer.from([value.length >> 8, value.length & 255]), Buffer.from(value)]);
  const body = Buffer.concat([Buffer.from([0, 13, 0, 0, 0, 0, 0, 1]), text('test'), text(groupId), text(memberId)]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(body.length);
  const [host = '', port = ''] = (brokers?.[0] ?? '').split(':');
  const socket = connect(Number(port), host);
  socket.write(Buffer.concat([length, body]));
  const [answer] = (await once(socket, 'data')) as [Buffer];
  socket.destroy();
  expect(answer.readInt16BE(8)).toBe(0);
}

(brokers ? describe : describe.skip)('a Kafka consumer', () => {
  const prefix = `test-${randomUUID().slice(0, 8)}.`;
  let bus: Bus;
  let kafka: Kafka;
  let admin: Admin;
  beforeAll(async () => {
    const settings = { brokers: brokers ?? [], clientId: 'test' };
    bus = await openKafkaBus({ ...settings, prefix, clock: systemClock, log: silentLog });
    kafka = openKafka(settings, silentLog);
    admin = kafka.admin();
    await admin.connect();
  });
  afterAll(async () => {
    await bus.close();
    const own = (await admin.listTopics()).filter((name) => name.startsWith(prefix));
    await admin.deleteTopics({ topics: own });
    await admin.disconnect();
  });

  const memberOf = async (groupId: string): Promise<string> => {
    const { groups } = await admin.describeGroups([groupId]);
    const member = groups[0]?.members[0]?.memberId;
    if (!member) throw new Error(`nobody is in ${groupId}`);
    return member;
  };

  const expelled = groupIdOf(prefix, 'expelled', topic);
  it('that the broker no longer knows (UNKNOWN_MEMBER_ID) joins again and reads on, each time', async () => {
    const seen = new Set<string>();
    const onMessage = async ({ id }: { id: string }) => {
      await new Promise((resolve) => setTimeout(resolve, 1));
      seen.add(id);
    };
    const consumer = await bus.subscribe({ group: 'expelled', topic, concurrency: 4, onMessage });
    for (const repetition of [0, 1, 2]) {
      await bus.publish(topic, batch(repetition * 500, repetition * 500 + 500));
      await eventually(() => expect(seen.size).toBeGreaterThan(repetition * 500 + 50));
      await eventually(async () => expel(expelled, await memberOf(expelled)));
      await eventually(() => expect(seen.size).toBe(repetition * 500 + 500));
      await eventually(() => expect(consumer.healthy()).toBe(true));
    }
    await eventually(async () => expect(await consumer.lag()).toBe(0));
    await consumer.close();
  });

  it('that kafkajs ends for good is started anew, and not ready meanwhile', async () => {
    const seen = new Set<string>();
    const consumer = await bus.subscribe({ group: 'ended', topic, onMessage: async ({ id }) => void seen.add(id) });
    const { prototype } = require('kafkajs/src/consumer/consumerGroup') as {
      prototype: { fetch(): Promise<unknown[]> };
    };
    // kafkajs takes a TypeError for a mistake of the program's, crashes, and does not start again by itself.
    jest.spyOn(prototype, 'fetch').mockRejectedValueOnce(new TypeError('seen once'));
    await bus.publish(topic, batch(5_000, 5_020));
    await eventually(() => expect(consumer.healthy()).toBe(false));
    await eventually(() => expect(consumer.healthy()).toBe(true));
    await eventually(() => expect([...seen]).toEqual(expect.arrayContaining(batch(5_000, 5_020).map(({ id }) => id))));
    await consumer.close();
  });

  it('joins again and reads on after a rejoin that broke off, although the broker still counts it as a member', async () => {
    const seen = new Set<string>();
    const consumer = await bus.subscribe({ group: 'broken', topic, onMessage: async ({ id }) => void seen.add(id) });
    const { prototype } = require('kafkajs/src/broker') as {
      prototype: { fetch(): Promise<unknown>; joinGroup(): Promise<unknown> };
    };
    const closed = new KafkaJSConnectionError('Closed connection');
    const joining = jest.spyOn(prototype, 'joinGroup').mockRejectedValueOnce(closed);
    const moved = Object.assign(new Error('another leads now'), { type: 'NOT_LEADER_FOR_PARTITION' });
    jest.spyOn(prototype, 'fetch').mockRejectedValueOnce(moved);
    await eventually(() => expect(joining).toHaveBeenCalled());
    await bus.publish(topic, batch(6_000, 6_020));
    await eventually(() => expect([...seen]).toEqual(expect.arrayContaining(batch(6_000, 6_020).map(({ id }) => id))));
    await consumer.close();
    jest.restoreAllMocks();
  });

  it('closed while it joins anew after a crash is in the group no more, however late the broker lets it in', async () => {
    const group = 'late';
    const consumer = await bus.subscribe({ group, topic, onMessage: async () => undefined });
    const { prototype } = require('kafkajs/src/broker') as {
      prototype: { joinGroup(asked: object): Promise<unknown> };
    };
    const { joinGroup } = prototype;
    let open: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => (open = resolve));
    const joining = jest.spyOn(prototype, 'joinGroup').mockImplementationOnce(async function late(this: object, asked) {
      await gate;
      return joinGroup.call(this as typeof prototype, asked);
    });
    const { prototype: members } = require('kafkajs/src/consumer/consumerGroup') as {
      prototype: { fetch(): Promise<unknown[]> };
    };
    const gone = Object.assign(new Error('no broker'), { name: 'KafkaJSNoBrokerAvailableError', retriable: true });
    jest.spyOn(members, 'fetch').mockRejectedValueOnce(gone);
    await eventually(() => expect(joining).toHaveBeenCalled());
    await consumer.close();
    open();
    await joining.mock.results[0]!.value;
    jest.restoreAllMocks();
    await eventually(async () => expect(memberOf(groupIdOf(prefix, group, topic))).rejects.toThrow('nobody'));
  });

  it('with thousands of a partition behind a slow one reads no more of it, reads the others, and goes on', async () => {
    const seen = new Set<string>();
    let open: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => (open = resolve));
    const far = (at: number) => ({ ...message(at), id: `far-${at}`, key: 'one mailbox' });
    const onMessage = async ({ id }: { id: string }) => {
      if (id === 'far-0') await gate;
      seen.add(id);
    };
    const orderBy = ({ id }: { id: string }) => id;
    const consumer = await bus.subscribe({ group: 'far', topic, concurrency: 8, orderBy, onMessage });
    const ids = Array.from({ length: 9_000 }, (_, at) => far(at));
    for (let at = 0; at < ids.length; at += 500) await bus.publish(topic, ids.slice(at, at + 500));
    const isFar = () => [...seen].filter((id) => id.startsWith('far-')).length;
    await eventually(() => expect(isFar()).toBeGreaterThan(1_900));
    await bus.publish(topic, batch(9_000, 9_010));
    // Ten mailboxes: most of them share no partition with the one that waits.
    await eventually(() => expect(batch(9_000, 9_010).filter(({ id }) => seen.has(id)).length).toBeGreaterThan(4));
    expect(isFar()).toBeLessThan(ids.length - 1);
    expect(await consumer.lag()).toBeGreaterThanOrEqual(ids.length);
    open();
    await eventually(() => expect(isFar()).toBe(ids.length));
    await eventually(async () => expect(await consumer.lag()).toBe(0));
    await consumer.close();
  });

  it('kafkajs alone, committing as its manual shows, ends for good: the reason for the cures', async () => {
    const groupId = `${prefix}uncured`;
    const uncured: KafkaConsumer = kafka.consumer({ groupId });
    const crashes: boolean[] = [];
    uncured.on(uncured.events.CRASH, ({ payload }) => void crashes.push(payload.restart));
    await uncured.connect();
    await uncured.subscribe({ topic: prefix + topic, fromBeginning: true });
    let expelled: Promise<void> | undefined;
    await uncured.run({
      autoCommit: false,
      eachMessage: async ({ partition, message: { offset } }) => {
        expelled ??= memberOf(groupId).then((member) => expel(groupId, member));
        await expelled;
        await uncured.commitOffsets([{ topic: prefix + topic, partition, offset: String(Number(offset) + 1) }]);
      },
    });
    await eventually(() => expect(crashes).toEqual([false]));
    await uncured.disconnect();
  });
});
