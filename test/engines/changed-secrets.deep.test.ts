import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type EmbeddedMongo, startEmbeddedMongo } from '@postroom/embedded/start';
import { openBus } from '@postroom/events/open-bus';
import { openLimiter } from '@postroom/limits/open-limiter';
import { openRedis, type RedisClient } from '@postroom/limits/redis-connection';
import { type MailStore, openMailStore } from '@postroom/mail-store/connection';
import { manualClock } from '@postroom/runtime/clock';
import { silentLog } from '@postroom/runtime/log';
import { createServiceContext } from '@postroom/runtime/service-context';
import { changesByHand } from '@postroom/runtime/changes-by-hand.test-support';
import { emailDocument } from '../support/email-document.ts';
import { openKafkaProxy } from '../support/kafka-proxy.ts';
import { openMailSink, type MailSink } from '../support/mail-sink.ts';
import { skipAloud } from '../support/skips.ts';
import { startStack, type TestStack } from '../support/stack.ts';
import { eventually } from './eventually.ts';
import { openTcpProxy, type TcpProxy } from './tcp-proxy.ts';

const MOST_OF_A_CALL_MS = 11_000;

describe('a database whose address says something new', () => {
  let server: EmbeddedMongo;
  let before: TcpProxy;
  let after: TcpProxy;
  let store: MailStore;
  const clock = manualClock();
  const hand = changesByHand();
  const context = { ...createServiceContext({ name: 'test', log: silentLog, clock }), changes: hand.changes };
  const uriBy = ({ port }: { port: number }) => `mongodb://127.0.0.1:${port}/postroom?directConnection=true`;

  beforeAll(async () => {
    server = await startEmbeddedMongo();
    before = await openTcpProxy('127.0.0.1', server.port);
    after = await openTcpProxy('127.0.0.1', server.port);
    store = await openMailStore({ uri: uriBy(before), needsSchema: false }, context);
  });
  afterAll(async () => {
    await context.lifecycle.close();
    await Promise.all([before.close(), after.close()]);
    await server.close();
  });

  const email = () => emailDocument({ workspaceId: randomUUID() });

  it('keeps the old one where nobody is let in by the new', async () => {
    await expect(hand.say('MONGODB_URI', 'mongodb://127.0.0.1:1/postroom?directConnection=true')).rejects.toThrow();
    const { _id, ...rest } = email();
    await store.collections.emails.collection.insertOne({ _id, ...rest } as never);
    expect(await store.collections.emails.countDocuments({ _id })).toBe(1);
  });

  it('is asked by the new one from then on, while what is under way ends on the old', async () => {
    const { emails } = store.collections;
    const many = Array.from({ length: 200 }, email);
    const underWay = many.map(({ _id, ...rest }) => emails.collection.insertOne({ _id, ...rest } as never));
    await hand.say('MONGODB_URI', uriBy(after));
    await Promise.all(underWay);
    // Only what had to end on the old connections holds them open.
    await clock.advance(MOST_OF_A_CALL_MS);
    await eventually(() => expect(before.connections()).toBe(0));
    expect(await emails.countDocuments({ _id: { $in: many.map(({ _id }) => _id) } })).toBe(200);
    const { _id, ...rest } = email();
    await emails.collection.insertOne({ _id, ...rest } as never);
    expect(await emails.find({ _id }, { _id: 1 }).lean()).toHaveLength(1);
    expect(after.connections()).toBeGreaterThan(0);
    expect(store.connection.readyState).toBe(1);
  });
});

const { REDIS_URL } = process.env;
if (!REDIS_URL) skipAloud('a changed password of Redis: REDIS_URL names no server');

(REDIS_URL ? describe : describe.skip)('a Redis whose address says another password', () => {
  const [address = 'redis://127.0.0.1:1'] = (REDIS_URL ?? '').split(',').filter(Boolean);
  let admin: RedisClient;
  const user = `rotating-${randomUUID()}`;
  const urlWith = (password: string) => Object.assign(new URL(address), { username: user, password }).href;
  const setPassword = (password: string) =>
    admin.call('ACL', 'SETUSER', user, 'reset', 'on', `>${password}`, '~*', '+@all');
  const hand = changesByHand();

  beforeAll(async () => {
    admin = openRedis({ url: address }, silentLog);
    await new Promise((resolve) => admin.once('ready', resolve));
    await setPassword('one');
  });
  afterAll(async () => {
    await admin.call('ACL', 'DELUSER', user);
    admin.disconnect();
  });

  it('goes on through the change, and logs in with the new one when its connections are cut', async () => {
    const context = { ...createServiceContext({ name: 'test', log: silentLog }), changes: hand.changes };
    const limiter = await openLimiter({ redis: { url: urlWith('one') }, context });
    const isShared = async () => expect(await context.metrics.page()).toMatch(/^postroom_limits_local\S* 0/m);
    await isShared();
    await expect(hand.say('REDIS_URL', urlWith('two'))).rejects.toThrow(/WRONGPASS/);
    await setPassword('two');
    await hand.say('REDIS_URL', urlWith('two'));
    await admin.call('CLIENT', 'KILL', 'USER', user);
    const names = async () => String(await admin.call('CLIENT', 'LIST'));
    await eventually(async () => expect(await names()).toContain(`user=${user}`));
    await eventually(isShared);
    await limiter.close();
  });
});

describe('a broker whose password is another', () => {
  it('is shown the new one at the next connection', async () => {
    const proxy = await openKafkaProxy();
    const [clock, hand] = [manualClock(), changesByHand()];
    const context = { ...createServiceContext({ name: 'test', log: silentLog, clock }), changes: hand.changes };
    const sasl = { mechanism: 'plain', username: 'postroom', password: 'one' } as const;
    // It waits, unready, for a broker that does not let it in yet.
    void openBus({ brokers: [proxy.address], sasl: { ...sasl }, waits: true, context });
    await eventually(() => expect(proxy.heard).toEqual(['one']));
    await hand.say('KAFKA_SASL_PASSWORD', 'two');
    await eventually(async () => {
      await clock.advance(1_000);
      expect(proxy.heard[1]).toBe('two');
    });
    await proxy.close();
  });
});

describe('a mail server whose password is another', () => {
  let sink: MailSink;
  let stack: TestStack;
  beforeAll(async () => {
    sink = await openMailSink({ hasLogins: true });
    stack = await startStack();
  });
  afterAll(async () => {
    await stack.close();
    await sink.close();
  });

  it('gets the next message with the one that the mailbox is given, and what is under way with the old', async () => {
    const { id: workspaceId, send } = await stack.workspace();
    const server = { imapAddress: '127.0.0.1:1', smtpAddress: sink.address, user: 'u', password: 'one' };
    const mailbox = { workspaceId, email: 'me@here.example', aliases: [], withoutTrash: false, server };
    const { id: mailboxId } = await stack.workspaces.connectMailbox(mailbox, {});
    const to = [{ email: 'you@there.example' }];
    const sent = async (subject: string) =>
      (await send.post('/drafts/send', { mailboxId, to, subject, body: { text: 'Hello' } })).status;
    sink.password = 'one';
    const reached = new Promise<() => void>((resolve) => {
      sink.at = (stage) => (stage === 'recipient' ? new Promise((goOn) => resolve(goOn)) : Promise.resolve());
    });
    const underWay = sent('with the old');
    const goOn = await reached;
    sink.at = undefined;
    sink.password = 'two';
    await stack.workspaces.reconnectMailbox({ mailboxId, password: 'two' }, { workspaceId });
    goOn();
    expect(await underWay).toBe(200);
    expect(await sent('with the new')).toBe(200);
    expect(sink.caught).toHaveLength(2);
  });
});
