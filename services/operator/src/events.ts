import { openBus } from '@postroom/events/open-bus';
import { deadTopicOf, topicNames, type Topic } from '@postroom/events/topics';
import { defineCommand, type Command } from './command.ts';
import { UsageError } from './option.ts';
import { Refusal, type Deps } from './deps.ts';

const replay = defineCommand({
  path: ['events', 'replay'],
  summary: 'Hands what a consumer has given up on to that consumer once more',
  operands: { flags: '<topic>', description: topicNames.join(', ') },
  options: {},
  run: async (_values, deps, [named = '']) => {
    const topic = topicOf(named);
    const bus = await open(deps);
    const replayed = await bus.replay(deadTopicOf(topic));
    return { json: { topic, replayed }, lines: [`${replayed} events of ${topic} are on their way again.`] };
  },
});

export const eventCommands: readonly Command[] = [replay];

/** The topic, or its dead-letter topic: whoever looks at a broker has that name at hand. */
function topicOf(named: string): Topic {
  const topic = topicNames.find((name) => name === named || deadTopicOf(name) === named);
  if (!topic) throw new UsageError(`there is no topic "${named}"; take one of ${topicNames.join(', ')}`);
  return topic;
}

async function open(deps: Deps) {
  const settings = deps.bus();
  try {
    const bus = await openBus({ ...settings, context: deps.context });
    deps.context.lifecycle.add('bus', () => bus.close());
    return bus;
  } catch (error) {
    throw new Refusal(`the broker does not answer: ${(error as Error).message}; see that KAFKA_BROKERS is right`);
  }
}
