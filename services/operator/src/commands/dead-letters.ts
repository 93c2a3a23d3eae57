import { toMessageDeadLetter } from '@postroom/events/dead-letter-message';
import { openBus } from '@postroom/events/open-bus';
import { deadTopicOf, type Topic } from '@postroom/events/topics';
import type { DeadLetter } from '@postroom/proto/postroom/v1/dead_letters';
import { CommandRefusal, type CommandDeps } from '../command/command-deps.ts';

export interface DeadLetters {
  list(topic: Topic, limit: number): Promise<DeadLetter[]>;
  /** Without ids, all that there are; how many there were. */
  replay(topic: Topic, ids: readonly string[]): Promise<number>;
  drop(topic: Topic, ids: readonly string[]): Promise<number>;
}

/** On the broker where one is named, else through the running system, whose events stay in its process. */
export async function openDeadLetters(deps: CommandDeps): Promise<DeadLetters> {
  const settings = deps.bus();
  return settings ? onBroker(settings, deps) : byOperatorApi(deps);
}

async function onBroker(
  settings: NonNullable<ReturnType<CommandDeps['bus']>>,
  { context }: CommandDeps,
): Promise<DeadLetters> {
  try {
    const bus = await openBus({ ...settings, waits: false, context });
    context.lifecycle.add('bus', () => bus.close());
    const orAll = (ids: readonly string[]) => (ids.length === 0 ? undefined : ids);
    return {
      list: async (topic, limit) => (await bus.deadLetters(deadTopicOf(topic), limit)).map(toMessageDeadLetter),
      replay: (topic, ids) => bus.replay(deadTopicOf(topic), orAll(ids)),
      drop: (topic, ids) => bus.drop(deadTopicOf(topic), orAll(ids)),
    };
  } catch (error) {
    throw new CommandRefusal(
      `the broker does not answer: ${(error as Error).message}; see that KAFKA_BROKERS is right`,
    );
  }
}

function byOperatorApi(deps: CommandDeps): DeadLetters {
  const api = deps.deadLetters();
  return {
    list: async (topic, limit) => (await api.listDeadLetters({ topic, limit }, {})).items,
    replay: async (topic, ids) => (await api.replayDeadLetters({ topic, ids: [...ids] }, {})).resolved,
    drop: async (topic, ids) => (await api.dropDeadLetters({ topic, ids: [...ids] }, {})).resolved,
  };
}
