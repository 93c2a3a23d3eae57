import { refuse } from '@postroom/errors/refuse';
import type { Bus } from '@postroom/events/bus';
import { toMessageDeadLetter } from '@postroom/events/dead-letter-message';
import { type DeadTopic, deadTopicOf, topicNames } from '@postroom/events/topics';
import type { DeadLetterServiceDefinition } from '@postroom/proto/postroom/v1/dead_letters';
import type { Handlers } from '@postroom/rpc/definition';

/** The dead letters on the bus of this process. */
export function deadLetterHandlers(bus: Bus): Handlers<DeadLetterServiceDefinition> {
  return {
    listDeadLetters: async ({ topic, limit }) => ({
      items: (await bus.deadLetters(deadTopic(topic), limit)).map(toMessageDeadLetter),
    }),
    replayDeadLetters: async ({ topic, ids }) => ({ resolved: await bus.replay(deadTopic(topic), orAll(ids)) }),
    dropDeadLetters: async ({ topic, ids }) => ({ resolved: await bus.drop(deadTopic(topic), orAll(ids)) }),
  };
}

const orAll = (ids: readonly string[]) => (ids.length === 0 ? undefined : ids);

function deadTopic(named: string): DeadTopic {
  const topic = topicNames.find((name) => name === named);
  return topic ? deadTopicOf(topic) : refuse('topic', `must be one of ${topicNames.join(', ')}`);
}
