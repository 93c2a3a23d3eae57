import type { DeadLetter } from '@postroom/proto/postroom/v1/dead_letters';
import type { BusMessage } from './bus.ts';
import { deathOf } from './dead-letter.ts';

export function toMessageDeadLetter(letter: BusMessage): DeadLetter {
  const { id, key, occurredAt, value } = letter;
  return { id, key, occurredAt: occurredAt.toISOString(), value: Buffer.from(value), ...deathOf(letter) };
}
