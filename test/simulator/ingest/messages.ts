import type { Mail } from '../peers/mail-source.ts';
import type { Chance } from '../world/chance.ts';

const SOURCES = ['first', 'second'] as const;

const SHARE_OF_ANSWERS = 0.75;
const SHARE_OF_BOTH = 0.3;

/** Messages of which most answer one that was written earlier. */
export function drawMessages(chance: Chance, count: number): Mail[] {
  const messageIdOf = (n: number) => `${n}@sender.example`;
  return Array.from({ length: count }, (_, n) => {
    const isAnswer = n > 0 && chance.happens(SHARE_OF_ANSWERS);
    const messageId = messageIdOf(n);
    return { subject: `message ${n}`, messageId, ...(isAnswer && { inReplyTo: messageIdOf(chance.below(n)) }) };
  });
}

/** Each message comes from one source or from both, and each source has an order of its own. */
export function drawSources(chance: Chance, messages: readonly Mail[]): Mail[][] {
  const drawn = messages.map((mail) => {
    return { mail, by: chance.happens(SHARE_OF_BOTH) ? SOURCES : [chance.pick(SOURCES)] };
  });
  return SOURCES.map((source) => {
    const own = drawn.filter(({ by }) => by.includes(source));
    return own
      .map(({ mail }) => ({ mail, at: chance.next() }))
      .toSorted((one, other) => one.at - other.at)
      .map(({ mail }) => ({ ...mail, sourceKey: `${source} ${mail.messageId}` }));
  });
}
