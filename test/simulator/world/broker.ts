import type { Bus, BusMessage, Consumer, Subscription, UnpublishedMessage } from '@postroom/events/bus';
import { deliverToEnd, orderedDelivery } from '@postroom/events/deliver';
import type { Topic } from '@postroom/events/topics';
import { createKeyedQueue, type KeyedQueue } from '@postroom/runtime/keyed-queue';
import { type Process, within } from './process.ts';
import type { World } from './world.ts';

interface Member {
  process: Process;
  subscription: Subscription;
  queue: KeyedQueue;
  isFetching: boolean;
}

/** A message in the log of one group. */
interface Position {
  message: BusMessage;
  state: 'waiting' | 'taken' | 'done';
  holder?: Member;
}

interface Group {
  name: string;
  topic: Topic;
  positions: Position[];
  members: Member[];
}

export interface Broker {
  busOf(process: Process): Bus;
  /** Everything that was published, in its order, with repetitions. */
  published(): readonly BusMessage[];
}

/** A group takes the messages of a dead member back after so long. */
const SESSION_MS = { least: 500, most: 6_000 };
/** Loss is simulated where MongoDB has the truth: the poll and the sweep of these find what their events would have told. */
const WITH_SWEEP = new Set<string>(['classifier', 'forwarder']);

/**
 * A broker as Kafka is one: a log for each topic, groups whose members share the keys, positions that are committed after
 * the handler, and messages that come again when a member dies before. Retries and dead letters are the product's own.
 */
export function createBroker(world: World): Broker {
  const groups: Group[] = [];
  const published: (BusMessage & { topic: Topic })[] = [];

  /** A group that nobody has seen before begins with the first message of its topic. */
  const groupOf = ({ group: name, topic }: Subscription): Group => {
    const known = groups.find((group) => group.name === name && group.topic === topic);
    if (known) return known;
    const before = published.filter((message) => message.topic === topic);
    const positions = before.map((message): Position => ({ message, state: 'waiting' }));
    const group = { name, topic, positions, members: [] };
    groups.push(group);
    return group;
  };

  const append = (topic: Topic, message: UnpublishedMessage, by: Process): void => {
    const stored = { ...message, headers: { ...message.headers }, topic };
    published.push(stored);
    const name = `${topic} ${message.key}`;
    const all = groups.filter((one) => one.topic === topic);
    const losing = all.filter((group) => WITH_SWEEP.has(group.name));
    const isLost = losing.length > 0 && world.faults.strikes('lostEvents');
    world.trace.say('broker', `${isLost ? 'loses' : 'stores'} ${name} of ${by.name}`);
    for (const group of all) {
      if (isLost && losing.includes(group)) continue;
      group.positions.push({ message: stored, state: 'waiting' });
      assign(world, group);
    }
  };

  return {
    published: () => published,
    busOf: (process) => ({
      publish: (topic, messages, onSafe) =>
        publish(world, process, topic, () => {
          for (const message of messages) append(topic, message, process);
        }).then(() => messages.forEach(({ id }) => onSafe?.(id))),
      subscribe: async (subscription) => join(world, groupOf(subscription), process, subscription),
      close: async () => undefined,
    }),
  };
}

function publish(world: World, by: Process, topic: string, effect: () => void): Promise<void> {
  const { faults, trace } = world;
  return new Promise((resolve, reject) => {
    const answer = (give: () => void) => void world.after(world.latency(), by, give);
    const fail = (why: string) => {
      trace.say(by.name, `publish ${topic}: ${why}`);
      answer(() => reject(new Error(why)));
    };
    world.after(world.latency(), by, () => {
      if (faults.strikes('refusedPublishes')) return fail('the broker refuses');
      effect();
      if (faults.strikes('lostPublishAnswers')) return fail('the answer is lost');
      answer(resolve);
    });
  });
}

function join(world: World, group: Group, process: Process, subscription: Subscription): Consumer {
  const { concurrency = 1 } = subscription;
  const member = { process, subscription, queue: createKeyedQueue(() => concurrency), isFetching: false };
  group.members.push(member);
  process.onDeath.push(() => {
    group.members.splice(group.members.indexOf(member), 1);
    world.after(world.chance.between(SESSION_MS.least, SESSION_MS.most), undefined, () => {
      for (const one of group.positions) if (one.state === 'taken' && one.holder === member) one.state = 'waiting';
      assign(world, group);
    });
  });
  assign(world, group);
  return {
    pause: () => undefined,
    resume: () => undefined,
    healthy: () => true,
    lag: async () => 0,
    close: async () => undefined,
  };
}

/** Every member with something to take takes it in one step: what shares a key keeps its order. */
function assign(world: World, group: Group): void {
  for (const one of group.positions) {
    if (one.state !== 'waiting') continue;
    const sameKey = group.positions.find(
      ({ message, state, holder }) => message.key === one.message.key && state === 'taken' && holder !== undefined,
    );
    // The messages of a dead member's key wait for its session to end.
    if (sameKey && !sameKey.holder?.process.isAlive) continue;
    const holder = sameKey?.holder ?? group.members[hashOf(one.message.key) % group.members.length];
    if (!holder) return;
    one.holder = holder;
    if (holder.isFetching) continue;
    holder.isFetching = true;
    world.after(world.latency(), holder.process, () => fetch(world, group, holder));
  }
}

function fetch(world: World, group: Group, member: Member): void {
  member.isFetching = false;
  for (const one of group.positions.filter(({ state, holder }) => state === 'waiting' && holder === member)) {
    one.state = 'taken';
    deliver(world, one.message, member, () => {
      one.state = 'done';
      if (world.faults.strikes('repeatedEvents')) repeat(world, group, one.message);
    });
  }
}

const LONGEST_UNTIL_REPEAT_MS = 20_000;

/** As after a rebalance: another member, or the same one, gets what was handled. */
function repeat(world: World, group: Group, message: BusMessage): void {
  world.after(world.chance.below(LONGEST_UNTIL_REPEAT_MS), undefined, () => {
    if (group.members.length === 0) return;
    const member = world.chance.pick(group.members);
    world.trace.say('broker', `delivers ${message.type} ${message.key} to ${member.process.name} again`);
    world.after(0, member.process, () => deliver(world, message, member, () => undefined));
  });
}

function deliver(world: World, message: BusMessage, member: Member, onDone: () => void): void {
  const { process, subscription } = member;
  const { clock, log } = process.context;
  const { key, owners, subscription: ordered } = orderedDelivery(message, subscription);
  const never = new AbortController().signal;
  const stop = { leaving: never, lost: never };
  void within(process, () =>
    member.queue.add(
      key,
      (rest) => deliverToEnd(message, ordered, { clock, log, stop, rest, heartbeat: async () => undefined }),
      owners,
    ),
  ).then(() => world.after(world.latency(), process, onDone));
}

function hashOf(text: string): number {
  let hash = 0;
  for (let at = 0; at < text.length; at += 1) hash = (Math.imul(hash, 31) + text.charCodeAt(at)) >>> 0;
  return hash;
}
