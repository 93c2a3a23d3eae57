import type { Bus, DeadLetters, GivenUpMessage } from './bus.ts';
import { replayOf } from './dead-letter.ts';

/** Dead letters in memory. `replay` publishes them again, as the command of an operator does. */
export function memoryDeadLetters() {
  const letters: GivenUpMessage[] = [];
  const keeper: DeadLetters = { add: async (message) => void letters.push(message) };
  return {
    ...keeper,
    letters,
    ids: () => letters.map(({ id }) => id),
    replay: async (bus: Pick<Bus, 'publish'>): Promise<number> => {
      const taken = letters.splice(0);
      for (const letter of taken) await bus.publish(letter.topic, [replayOf(letter)]);
      return taken.length;
    },
  };
}
