import type { Mail } from '../peers/mail-source.ts';
import type { Chance } from '../world/chance.ts';

const SOURCES = ['first', 'second', 'third'] as const;

const SHARE_OF_ANSWERS = 0.85;
/** A message answers one of so few before it that threads are long, and meet late. */
const FARTHEST_ORIGINAL = 3;
const SHARE_OF_EACH = 0.2;

/** Messages of which most answer one that was written earlier. */
export function drawMessages(chance: Chance, count: number): Mail[] {
  const messageIdOf = (n: number) => `${n}@sender.example`;
  return Array.from({ length: count }, (_, n) => {
    const isAnswer = n > 0 && chance.happens(SHARE_OF_ANSWERS);
    const messageId = messageIdOf(n);
    return {
      subject: `message ${n}`,
      messageId,
      ...(isAnswer && { inReplyTo: messageIdOf(Math.max(0, n - chance.between(1, FARTHEST_ORIGINAL))) }),
    };
  });
}

/** Each message comes from one source or from each, and each source has an order of its own. */
export function drawSources(chance: Chance, messages: readonly Mail[]): Mail[][] {
  const drawn = messages.map((mail) => {
    return { mail, by: chance.happens(SHARE_OF_EACH) ? SOURCES : [chance.pick(SOURCES)] };
  });
  return SOURCES.map((source) => {
    const own = drawn.filter(({ by }) => by.includes(source));
    return own
      .map(({ mail }) => ({ mail, at: chance.next() }))
      .toSorted((one, other) => one.at - other.at)
      .map(({ mail }) => ({ ...mail, sourceKey: `${source} ${mail.messageId}` }));
  });
}
