import type { Socket } from 'node:net';

/** The part of kafkajs's request queue that is mended here. */
interface RequestQueue {
  pending: unknown[];
  throttledUntil: number;
  throttleCheckTimeoutId: NodeJS.Timeout | null;
  checkPendingRequests(): void;
  scheduleCheckPendingRequests(): void;
}

/** The part of kafkajs's connection that is mended here. */
interface Connection extends Sender {
  /** None before it is connected for the first time. */
  socket?: Socket;
  connect(): Promise<true>;
}

/** The two connections to one broker, of which one is for reading events alone. */
interface ConnectionPool extends Sender {
  pool: Pick<Connection, 'socket'>[];
}
interface Sender {
  send(request: unknown): Promise<unknown>;
}

/** The part of kafkajs's member of a group that is mended here. */
interface ConsumerGroup {
  memberId: string | null;
  assigners: Partial<BeforeJoin>[];
  joinAndSync(): Promise<void>;
  fetch(nodeId: string): Promise<unknown[]>;
}

/** Stands beside a partition assigner, which is what a consumer is given for its joining. */
export interface BeforeJoin {
  /** Waited for each time before the group is joined; from then on the partitions may be another's. */
  beforeJoin(isStillMember: boolean): Promise<void>;
}

/** The part of kafkajs's pool of brokers that is mended here. */
interface BrokerPool {
  brokers: Record<string, Broker>;
  removeBroker(address: { host: string; port: number }): void;
  disconnect(): Promise<void>;
}
interface Broker {
  disconnect(): Promise<void>;
}

const SHORTEST_WAIT_MS = 10;
let mended = false;

/** Everything that is wrong with kafkajs 2.2.4 and matters here. */
export function mendKafkajs(): void {
  if (mended) return;
  mended = true;
  mendRequestQueue();
  mendRequestTimeout();
  mendConnection();
  mendBrokerPool();
  mendConsumerGroup();
}

/**
 * kafkajs 2.2.4 looks at its queue of waiting requests by a timer that it sets again whether or not anything waits, and
 * with a negative time: thousands of wake-ups a second on idle connections, and a warning from Node 24 on (tulios/kafkajs
 * 1751). Nothing needs looking at while nothing waits, because whatever is put in line sets the timer itself.
 */
function mendRequestQueue(): void {
  const { prototype } = require('kafkajs/src/network/requestQueue') as { prototype: RequestQueue };
  prototype.scheduleCheckPendingRequests = function schedule(this: RequestQueue): void {
    if (this.throttleCheckTimeoutId || this.pending.length === 0) return;
    const wait = Math.max(SHORTEST_WAIT_MS, this.throttledUntil - Date.now());
    this.throttleCheckTimeoutId = setTimeout(() => {
      this.throttleCheckTimeoutId = null;
      this.checkPendingRequests();
    }, wait);
  };
}

/**
 * kafkajs keeps a connection on which a request was not answered in time, and sends the next one over it as well. Where
 * the other end is gone without a word, nothing is answered until the system gives the connection up, after a quarter of
 * an hour. So it is closed, together with the other one to the same broker, and the next request opens another.
 */
function mendRequestTimeout(): void {
  const { prototype: connection } = require('kafkajs/src/network/connection') as { prototype: Connection };
  const { prototype: pool } = require('kafkajs/src/network/connectionPool') as { prototype: ConnectionPool };
  closeWhenLate(connection, ({ socket }) => [socket]);
  closeWhenLate(pool, ({ pool: connections }) => connections.map(({ socket }) => socket));
}

function closeWhenLate<T extends Sender>(
  prototype: T,
  socketsOf: (sender: T) => readonly (Socket | undefined)[],
): void {
  const { send } = prototype;
  prototype.send = function sendOrClose(this: T, request): Promise<unknown> {
    return send.call(this, request).catch((error: Error) => {
      if (error.name === 'KafkaJSRequestTimeoutError') for (const socket of socketsOf(this)) socket?.destroy(error);
      throw error;
    });
  };
}

/**
 * Every request that finds its connection broken connects it, and kafkajs forgets all sockets but the last: after each
 * outage some stay open, and keep a process alive that has closed everything. So whoever comes second waits for the first.
 */
function mendConnection(): void {
  const { prototype } = require('kafkajs/src/network/connection') as { prototype: Connection };
  const connect = prototype.connect;
  const underWay = new WeakMap<Connection, Promise<true>>();
  prototype.connect = function connectOnce(this: Connection): Promise<true> {
    const first = underWay.get(this);
    if (first) return first;
    const attempt = connect.call(this).finally(() => underWay.delete(this));
    underWay.set(this, attempt);
    return attempt;
  };
}

/**
 * A broker that broke off is taken out of the pool, but whoever holds it still may connect it again, and closing the pool
 * leaves it open. So the pool remembers what it took out, and closes that too.
 */
function mendBrokerPool(): void {
  const { prototype } = require('kafkajs/src/cluster/brokerPool') as { prototype: BrokerPool };
  const { removeBroker, disconnect } = prototype;
  const removed = new WeakMap<BrokerPool, Set<Broker>>();
  prototype.removeBroker = function removeAndRemember(this: BrokerPool, address): void {
    const before = Object.values(this.brokers);
    removeBroker.call(this, address);
    const kept = new Set(Object.values(this.brokers));
    const gone = before.filter((broker) => !kept.has(broker));
    removed.set(this, new Set([...(removed.get(this) ?? []), ...gone]));
  };
  prototype.disconnect = async function disconnectAll(this: BrokerPool): Promise<void> {
    const gone = [...(removed.get(this) ?? [])];
    removed.delete(this);
    await Promise.all([disconnect.call(this), ...gone.map((broker) => broker.disconnect())]);
  };
}

/**
 * kafkajs joins a group again without notice, because none of its own work is under way then; ours may be. So each
 * listener is told first, and the join waits for it. Two joins at a time become one. The answer to a fetch from before
 * the join is dropped: with several brokers it can hold a later part of a partition that is read from its start again.
 * No fetch begins before the join has succeeded: kafkajs goes on fetching as the old member after a join that failed.
 */
function mendConsumerGroup(): void {
  const { prototype } = require('kafkajs/src/consumer/consumerGroup') as { prototype: ConsumerGroup };
  const { joinAndSync, fetch } = prototype;
  const joining = new WeakMap<ConsumerGroup, Promise<void>>();
  const joins = new WeakMap<ConsumerGroup, number>();
  const outside = new WeakSet<ConsumerGroup>();
  const joinsOf = (group: ConsumerGroup) => joins.get(group) ?? 0;

  const join = async (group: ConsumerGroup): Promise<void> => {
    joins.set(group, joinsOf(group) + 1);
    outside.add(group);
    for (const { beforeJoin } of group.assigners) await beforeJoin?.(group.memberId !== null);
    await joinAndSync.call(group);
    outside.delete(group);
  };
  prototype.joinAndSync = function joinOnce(this: ConsumerGroup): Promise<void> {
    const first = joining.get(this);
    if (first) return first;
    const attempt = join(this).finally(() => joining.delete(this));
    joining.set(this, attempt);
    return attempt;
  };
  prototype.fetch = async function fetchOfThisJoin(this: ConsumerGroup, nodeId): Promise<unknown[]> {
    if (outside.has(this)) await this.joinAndSync();
    const before = joinsOf(this);
    const batches = await fetch.call(this, nodeId);
    return before === joinsOf(this) ? batches : [];
  };
}
