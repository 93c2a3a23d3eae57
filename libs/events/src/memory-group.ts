import type { Clock } from '@postroom/runtime/clock';
import type { Log } from '@postroom/runtime/log';
import type { BusMessage, Consumer, Subscription } from './bus.ts';
import { isFor } from './dead-letter.ts';
import { deliverToEnd, orderedDelivery } from './deliver.ts';
import type { BusFaults } from './faults.ts';
import { createKeyedQueue, Dropped, type KeyedQueue, type Rest } from '@postroom/runtime/keyed-queue';
import { createStopper, type Stopper } from './stopper.ts';
import type { Topic } from './topics.ts';

export interface MemoryGroup {
  name: string;
  topic: Topic;
  take(messages: readonly BusMessage[]): void;
  join(subscription: Subscription): Consumer;
  /** Resolves when nothing is left to do; true when there was something. */
  idle(): Promise<boolean>;
  close(): Promise<void>;
}

interface GroupDeps {
  clock: Clock;
  log: Log;
  faults: BusFaults;
  /** Handled, or stored as a dead letter. */
  onHandled: (message: BusMessage) => void;
}

interface Member {
  subscription: Subscription;
  stop: Stopper;
  paused: boolean;
  inHand: Set<Promise<unknown>>;
}

interface GroupState {
  first: Subscription;
  deps: GroupDeps;
  queue: KeyedQueue;
  members: Set<Member>;
  /** In the order of publishing; a message leaves it when it is handled, so that nothing is lost when a member goes. */
  pending: Set<BusMessage>;
  begun: Set<BusMessage>;
  leaving: number;
  idlers: (() => void)[];
}

/** The consumers of one group on one topic. They share its queue, so order per key holds across all of them. */
export function createMemoryGroup(first: Subscription, deps: GroupDeps): MemoryGroup {
  const members = new Set<Member>();
  const queue = createKeyedQueue(() =>
    awake(members).reduce((sum, { subscription }) => sum + (subscription.concurrency ?? 1), 0),
  );
  const group: GroupState = {
    first,
    deps,
    queue,
    members,
    pending: new Set(),
    begun: new Set(),
    leaving: 0,
    idlers: [],
  };
  return {
    name: first.group,
    topic: first.topic,
    take: (messages) => {
      for (const message of messages) group.pending.add(message);
      if (members.size > 0) for (const message of messages) enqueue(group, message);
    },
    join: (subscription) => join(group, subscription),
    idle: () => {
      if (group.pending.size === 0 || members.size === 0) return Promise.resolve(false);
      return new Promise((resolve) => group.idlers.push(() => resolve(true)));
    },
    close: async () => {
      await Promise.all([...members].map((member) => leave(group, member)));
    },
  };
}

const awake = (members: ReadonlySet<Member>) => [...members].filter((member) => !member.paused);

function enqueue(group: GroupState, message: BusMessage): void {
  const { first, queue, members, begun, deps } = group;
  const { key, owners } = orderedDelivery(message, first);
  const job = async (rest: Rest) => {
    const candidates = awake(members);
    const member = candidates[hashOf(key) % candidates.length];
    if (!member) throw new Dropped('every consumer left');
    begun.add(message);
    const work = handle(message, member, { ...deps, rest }).finally(() => begun.delete(message));
    member.inHand.add(work);
    await work.finally(() => member.inHand.delete(work));
  };
  queue.add(key, job, owners).then(
    () => complete(group, message),
    // An unfinished message stays pending. The group enqueues it again when the member has left.
    () => undefined,
  );
}

function enqueuePending(group: GroupState): void {
  if (group.members.size === 0) return;
  for (const message of group.pending) if (!group.begun.has(message)) enqueue(group, message);
}

function complete(group: GroupState, message: BusMessage): void {
  group.pending.delete(message);
  group.deps.onHandled(message);
  if (group.pending.size > 0) return;
  for (const wake of group.idlers.splice(0)) wake();
}

/** As in a rebalance, no member starts a message until the leaving one has finished. Then the rest is queued again. */
async function leave(group: GroupState, member: Member): Promise<void> {
  if (!group.members.delete(member)) return;
  group.leaving += 1;
  group.queue.hold();
  group.queue.drop();
  member.stop.leave();
  await Promise.allSettled(member.inHand);
  member.stop.done();
  group.leaving -= 1;
  if (group.leaving > 0) return;
  group.queue.drop();
  enqueuePending(group);
  group.queue.release();
}

function join(group: GroupState, subscription: Subscription): Consumer {
  const member: Member = { subscription, stop: createStopper(group.deps.clock), paused: false, inHand: new Set() };
  const wake = () => (group.leaving === 0 ? group.queue.release() : undefined);
  group.members.add(member);
  if (group.members.size === 1) enqueuePending(group);
  wake();
  return {
    pause: () => void (member.paused = true),
    resume: () => {
      member.paused = false;
      wake();
    },
    healthy: () => !member.stop.leaving.aborted,
    lag: async () => group.pending.size,
    close: () => leave(group, member),
  };
}

async function handle(
  message: BusMessage,
  { subscription, stop }: Member,
  deps: GroupDeps & { rest: Rest },
): Promise<void> {
  if (!isFor(subscription.group, message)) return;
  const { clock, log, faults, rest } = deps;
  const held = faults.delayMs();
  if (held > 0) await clock.sleep(held, stop.leaving);
  const { subscription: ordered } = orderedDelivery(message, subscription);
  const delivery = { clock, log, stop, rest, heartbeat: async () => undefined };
  await deliverToEnd(message, ordered, delivery);
  if (faults.repeats()) await deliverToEnd(message, ordered, delivery);
}

function hashOf(text: string): number {
  let hash = 0;
  for (let at = 0; at < text.length; at += 1) hash = (Math.imul(hash, 31) + text.charCodeAt(at)) >>> 0;
  return hash;
}
