import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { mendKafkajs } from './kafkajs-patch.ts';

interface Queue {
  push(request: {
    entry: { correlationId: number; apiName: string };
    expectResponse: boolean;
    sendRequest(): void;
  }): void;
  fulfillRequest(response: { correlationId: number; payload: Buffer; size: number }): void;
  checkPendingRequests(): void;
  maybeThrottle(ms: number): void;
  throttleCheckTimeoutId: unknown;
  destroy(): void;
}
type QueueClass = new (options: object) => Queue;

const quiet = { debug: () => undefined, warn: () => undefined };
function newQueue(maxInFlightRequests: number): Queue {
  mendKafkajs();
  const RequestQueue = require('kafkajs/src/network/requestQueue') as QueueClass;
  return new RequestQueue({ maxInFlightRequests, requestTimeout: 1_000, clientId: 'test', broker: 'b', logger: quiet });
}
const request = (correlationId: number, sent: number[]) => ({
  entry: { correlationId, apiName: 'Fetch', apiKey: 1, apiVersion: 1, resolve: () => undefined },
  expectResponse: true,
  sendRequest: () => void sent.push(correlationId),
});

describe('the mended request queue of kafkajs', () => {
  it('sets no timer while nothing waits', () => {
    const queue = newQueue(5);
    queue.checkPendingRequests();
    queue.push(request(1, []));
    queue.fulfillRequest({ correlationId: 1, payload: Buffer.alloc(0), size: 0 });
    expect(queue.throttleCheckTimeoutId).toBeNull();
  });

  it('sends what waits when an answer makes room, in order', () => {
    const queue = newQueue(1);
    const sent: number[] = [];
    for (const id of [1, 2, 3]) queue.push(request(id, sent));
    expect(sent).toEqual([1]);
    queue.fulfillRequest({ correlationId: 1, payload: Buffer.alloc(0), size: 0 });
    queue.fulfillRequest({ correlationId: 2, payload: Buffer.alloc(0), size: 0 });
    expect(sent).toEqual([1, 2, 3]);
    queue.destroy();
  });

  it('sends what a throttling broker held back once the throttle is over', async () => {
    const queue = newQueue(5);
    const sent: number[] = [];
    queue.maybeThrottle(30);
    const sending = new Promise<void>((resolve) => {
      queue.push({ ...request(1, sent), sendRequest: () => resolve(void sent.push(1)) });
    });
    expect(sent).toEqual([]);
    await sending;
    expect(sent).toEqual([1]);
    queue.destroy();
  });
});

interface Connection {
  connect(): Promise<true>;
  disconnect(): Promise<true>;
}
type ConnectionClass = new (options: object) => Connection;
interface ConnectionPool {
  getConnection(index: number): Promise<unknown>;
  send(request: object): Promise<unknown>;
  destroy(): Promise<void>;
}
type ConnectionPoolClass = new (options: object) => ConnectionPool;

describe('the connections of kafkajs to a broker that is gone without a word', () => {
  it('are closed with the first request that is not answered in time, and the next one opens another', async () => {
    mendKafkajs();
    const sockets: Socket[] = [];
    let isGone = true;
    const server = createServer((socket) => {
      sockets.push(socket);
      const isHeard = !isGone;
      socket.on('error', () => undefined).on('data', (asked) => void (isHeard && socket.write(heartbeatAnswer(asked))));
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    const ConnectionPool = require('kafkajs/src/network/connectionPool') as ConnectionPoolClass;
    const socketFactory = (require('kafkajs/src/network/socketFactory') as () => object)();
    const logger = { namespace: () => ({ ...quiet, error: () => undefined }) };
    const limits = { connectionTimeout: 1_000, requestTimeout: 150 };
    const pool = new ConnectionPool({ host: '127.0.0.1', port, logger, socketFactory, ...limits });

    const heartbeat = (require('kafkajs/src/protocol/requests/heartbeat') as Protocol).protocol({ version: 0 });
    const ask = () => pool.send(heartbeat({ groupId: 'g', groupGenerationId: 1, memberId: 'm' }));
    const connectionForReading = 1;
    await pool.getConnection(connectionForReading);
    await expect(ask()).rejects.toThrow('timed out');
    await new Promise((resolve) => setTimeout(resolve, 50));
    const left = sockets.filter(({ destroyed }) => !destroyed).length;
    isGone = false;
    const next = await ask().catch((error: Error) => error);
    await pool.destroy();
    await new Promise((resolve) => server.close(resolve));
    expect([left, sockets.length, next]).toEqual([0, 3, expect.objectContaining({ errorCode: 0 })]);
  });
});

interface Protocol {
  protocol(options: { version: number }): (fields: object) => object;
}

/** The length, the id of the request and no error. */
function heartbeatAnswer(request: Buffer): Buffer {
  const answer = Buffer.alloc(10);
  answer.writeInt32BE(6);
  request.copy(answer, 4, 8, 12);
  return answer;
}

describe('the mended connection of kafkajs', () => {
  it('opens one socket for all who ask at once, and another after it was closed', async () => {
    mendKafkajs();
    const server = createServer((socket) => void socket.resume()).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const Connection = require('kafkajs/src/network/connection') as ConnectionClass;
    const logger = { namespace: () => ({ ...quiet, error: () => undefined }) };
    const sockets: Socket[] = [];
    const socketFactory = ({ onConnect }: { onConnect: () => void }) => {
      const socket = connect(port, '127.0.0.1', onConnect);
      sockets.push(socket);
      return socket;
    };
    const connection = new Connection({ host: '127.0.0.1', port, logger, socketFactory, connectionTimeout: 1_000 });

    for (const expected of [1, 2]) {
      await Promise.all([connection.connect(), connection.connect(), connection.connect()]);
      await connection.disconnect();
      const opened = sockets.length;
      const left = sockets.filter(({ writable }) => writable).length;
      expect({ opened, left }).toEqual({ opened: expected, left: 0 });
    }
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
});

interface BrokerPool {
  brokers: Record<string, object>;
  seedBroker: object;
  removeBroker(address: { host: string; port: number }): void;
  disconnect(): Promise<void>;
}
type BrokerPoolClass = new (options: object) => BrokerPool;

describe('the mended pool of brokers of kafkajs', () => {
  it('closes what it holds and what it took out before, once', async () => {
    mendKafkajs();
    const BrokerPool = require('kafkajs/src/cluster/brokerPool') as BrokerPoolClass;
    const closed: string[] = [];
    const broker = (port: number) => ({
      nodeId: port,
      connectionPool: { host: 'b', port },
      disconnect: async () => void closed.push(`b:${port}`),
    });
    const pool = new BrokerPool({ logger: { namespace: () => quiet } });
    pool.seedBroker = broker(1);
    pool.brokers = { 2: broker(2), 3: broker(3) };

    pool.removeBroker({ host: 'b', port: 2 });
    expect(Object.keys(pool.brokers)).toEqual(['3']);
    await pool.disconnect();
    expect(closed.sort()).toEqual(['b:1', 'b:2', 'b:3']);
    await pool.disconnect();
    expect(closed.filter((name) => name === 'b:2')).toHaveLength(1);
  });
});

interface ConsumerGroup {
  joinAndSync(): Promise<void>;
  fetch(nodeId: string): Promise<unknown[]>;
}

describe('the mended member of a group of kafkajs', () => {
  /** A group whose broker does what it is told, and nothing else. */
  const groupOf = (beforeJoin: (isStillMember: boolean) => Promise<void>, memberId: string | null = 'm') => {
    mendKafkajs();
    const { prototype } = require('kafkajs/src/consumer/consumerGroup') as { prototype: ConsumerGroup };
    const joined: string[] = [];
    const group = Object.create(prototype) as ConsumerGroup & Record<string, unknown>;
    return Object.assign(group, {
      joined,
      memberId,
      assigners: [{ beforeJoin }, {}],
      retrier: async () => void joined.push('joined'),
    });
  };

  it('asks before it joins and waits for the answer, and says whether it is a member still', async () => {
    const asked: boolean[] = [];
    let go: () => void = () => undefined;
    const group = groupOf(async (isStillMember) => {
      asked.push(isStillMember);
      await new Promise<void>((resolve) => (go = resolve));
    });
    const [first, second] = [group.joinAndSync(), group.joinAndSync()];
    await new Promise((resolve) => setImmediate(resolve));
    expect([asked, group.joined]).toEqual([[true], []]);
    go();
    await Promise.all([first, second]);
    expect(group.joined).toEqual(['joined']);
    const expelled = groupOf(async (isStillMember) => void asked.push(isStillMember), null);
    await expelled.joinAndSync();
    await expelled.joinAndSync();
    expect([asked, expelled.joined]).toEqual([
      [true, false, false],
      ['joined', 'joined'],
    ]);
  });

  /** It may read from a broker that answers when it is told to. */
  const readable = <G extends ConsumerGroup>(group: G) => {
    const asked: string[] = [];
    let answer: () => void = () => undefined;
    const responses = [{ topicName: 't', partitions: [{ partition: 0, messages: [] }] }];
    const broker = {
      fetch: ({ topics }: { topics: { partitions: { fetchOffset: string }[] }[] }) => {
        asked.push(topics[0]!.partitions[0]!.fetchOffset);
        return new Promise((resolve) => (answer = () => resolve({ responses })));
      },
    };
    const startAt = (offset: string) => ({ committedOffsets: () => ({ t: { 0: '0' } }), nextOffset: () => offset });
    Object.assign(group, {
      cluster: { refreshMetadataIfNecessary: async () => undefined, findBroker: async () => broker },
      checkForStaleAssignment: () => undefined,
      filterPartitionsByNode: (_node: string, all: unknown) => all,
      seekOffsets: async () => undefined,
      getActiveTopicPartitions: () => ({ t: new Set([0]) }),
      offsetManager: startAt('0'),
      subscriptionState: { assigned: () => [{ topic: 't', partitions: [0] }], isPaused: () => false },
      seekOffset: { has: () => false },
      preferredReadReplicasPerTopicPartition: {},
    });
    return { asked, answer: () => answer(), startAt };
  };
  const aMoment = () => new Promise((resolve) => setImmediate(resolve));

  it('reads nothing of what was asked for before it joined', async () => {
    const group = groupOf(async () => undefined);
    const { answer } = readable(group);
    const fetched = async (meanwhile: () => Promise<void>) => {
      const batches = group.fetch('1');
      await aMoment();
      await meanwhile();
      answer();
      return (await batches).length;
    };
    expect(await fetched(async () => undefined)).toBe(1);
    expect(await fetched(() => group.joinAndSync())).toBe(0);
  });

  it('asks for nothing while it joins: the answer would come after it, and be of a place that is left by then', async () => {
    let go: () => void = () => undefined;
    const group = groupOf(() => new Promise<void>((resolve) => (go = resolve)));
    const { asked, answer, startAt } = readable(group);
    Object.assign(group, { offsetManager: startAt('200') });
    const joining = group.joinAndSync();
    const batches = group.fetch('2');
    await aMoment();
    Object.assign(group, { offsetManager: startAt('50') });
    go();
    await joining;
    await aMoment();
    answer();
    expect([(await batches).length, asked]).toEqual([1, ['50']]);
  });

  it('joins before it reads on when a join has failed, as those who were told take nothing until then', async () => {
    let fails = true;
    const group = groupOf(async () => {
      if (fails) throw new Error('the connection broke');
    });
    const { asked, answer } = readable(group);
    await expect(group.joinAndSync()).rejects.toThrow('the connection broke');
    await expect(group.fetch('1')).rejects.toThrow('the connection broke');
    fails = false;
    const batches = group.fetch('1');
    await aMoment();
    answer();
    expect([(await batches).length, group.joined, asked]).toEqual([1, ['joined'], ['0']]);
  });
});
