import type { Clock } from '@postroom/runtime/clock';
import type { Log } from '@postroom/runtime/log';
import type { BusMessage, Consumer, OutgoingMessage, Subscription } from './bus.ts';
import { deadLetter, isFor } from './dead-letter.ts';
import { deliver } from './deliver.ts';
import type { Faults } from './faults.ts';
import { createLanes, Dropped } from './lanes.ts';
import { createStopper, type Stopper } from './stopper.ts';
import { type DeadTopic, deadTopicOf, type Topic } from './topics.ts';

export interface MemoryGroup {
  topic: Topic;
  take(messages: readonly BusMessage[]): void;
  join(subscription: Subscription): Consumer;
  /** Resolves when nothing is left to do; true when there was something. */
  idle(): Promise<boolean>;
  close(): Promise<void>;
}

interface GroupTools {
  clock: Clock;
  log: Log;
  faults: Faults;
  publish(topic: Topic | DeadTopic, messages: readonly OutgoingMessage[]): void;
}

interface Member {
  subscription: Subscription;
  stop: Stopper;
  paused: boolean;
  inHand: Set<Promise<unknown>>;
}

/** The consumers of one group on one topic. They share its lanes, so order per key holds across all of them. */
export function createMemoryGroup(first: Subscription, tools: GroupTools): MemoryGroup {
  const members = new Set<Member>();
  /** In the order of publishing; a message leaves it when it is handled, so that nothing is lost when a member goes. */
  const owed = new Set<BusMessage>();
  const begun = new Set<BusMessage>();
  const awake = () => [...members].filter((member) => !member.paused);
  const lanes = createLanes(() => awake().reduce((sum, member) => sum + (member.subscription.concurrency ?? 1), 0));
  let leaving = 0;
  let idlers: (() => void)[] = [];

  const settle = (message: BusMessage): void => {
    owed.delete(message);
    if (owed.size > 0) return;
    for (const wake of idlers) wake();
    idlers = [];
  };
  const enqueue = (message: BusMessage): void => {
    const lane = first.orderBy?.(message) ?? message.key;
    lanes
      .add(lane, async () => {
        const candidates = awake();
        const member = candidates[hashOf(lane) % candidates.length];
        if (!member) throw new Dropped('every consumer left');
        begun.add(message);
        const work = handle(message, member, tools).finally(() => begun.delete(message));
        member.inHand.add(work);
        await work.finally(() => member.inHand.delete(work));
      })
      .then(
        () => settle(message),
        () => undefined,
      );
  };
  const take = (messages: readonly BusMessage[]): void => {
    for (const message of messages) owed.add(message);
    if (members.size > 0) for (const message of messages) enqueue(message);
  };
  const enqueueOwed = (): void => {
    if (members.size > 0) for (const message of owed) if (!begun.has(message)) enqueue(message);
  };
  /** As in a rebalance: all begin nothing new until the one that goes has finished, then what is left is given out. */
  const leave = async (member: Member): Promise<void> => {
    if (!members.delete(member)) return;
    leaving += 1;
    lanes.hold();
    lanes.drop();
    member.stop.leave();
    await Promise.allSettled(member.inHand);
    member.stop.settle();
    leaving -= 1;
    if (leaving > 0) return;
    lanes.drop();
    enqueueOwed();
    lanes.release();
  };

  return {
    topic: first.topic,
    take,
    join: (subscription) => {
      const member: Member = { subscription, stop: createStopper(tools.clock), paused: false, inHand: new Set() };
      members.add(member);
      if (members.size === 1) enqueueOwed();
      const wake = () => (leaving === 0 ? lanes.release() : undefined);
      wake();
      return consumerOf(member, () => leave(member), { lag: () => owed.size, wake });
    },
    idle: () => {
      if (owed.size === 0 || members.size === 0) return Promise.resolve(false);
      return new Promise((resolve) => idlers.push(() => resolve(true)));
    },
    close: async () => {
      await Promise.all([...members].map(leave));
    },
  };
}

function consumerOf(member: Member, leave: () => Promise<void>, group: { lag(): number; wake(): void }): Consumer {
  return {
    pause: () => void (member.paused = true),
    resume: () => {
      member.paused = false;
      group.wake();
    },
    healthy: () => !member.stop.leaving.aborted,
    lag: async () => group.lag(),
    close: leave,
  };
}

async function handle(message: BusMessage, { subscription, stop }: Member, tools: GroupTools): Promise<void> {
  if (!isFor(subscription.group, message)) return;
  const { clock, log, faults } = tools;
  const held = faults.delayMs();
  if (held > 0) await clock.sleep(held, stop.leaving);
  const setAside = async (failed: BusMessage, cause: unknown, attempts: number) => {
    const letter = deadLetter(failed, { group: subscription.group, cause, attempts, at: clock.date() });
    tools.publish(deadTopicOf(subscription.topic), [letter]);
  };
  const delivery = { clock, log, stop, heartbeat: async () => undefined, setAside };
  await deliver(message, subscription, delivery);
  if (faults.repeats()) await deliver(message, subscription, delivery);
}

function hashOf(text: string): number {
  let hash = 0;
  for (let at = 0; at < text.length; at += 1) hash = (Math.imul(hash, 31) + text.charCodeAt(at)) >>> 0;
  return hash;
}
