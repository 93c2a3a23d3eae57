import type { Random } from './random.ts';

/** The time of a letter and the number of its conversation. */
export interface Setting {
  random: Random;
  seed: number;
  /** Counts the conversations: ids are made of it. */
  number: number;
  start: Date;
  now: Date;
}

const DAY = 86_400_000;

/** Message-IDs look random and are the same for the same seed. */
export function messageIdOf({ seed, number, start }: Setting, turn: number, domain: string): string {
  return `<${start.getTime().toString(36)}.${seed.toString(36)}.${number.toString(36)}.${turn}@${domain}>`;
}

export function sourceKeyOf({ seed, number }: Setting, turn: number): string {
  return `demo:${seed}:${number}:${turn}`;
}

/** Old mail has mostly been read; of the last two weeks much is still to do. */
export function isReadBy({ random, now }: Setting, date: Date): boolean {
  const age = (now.getTime() - date.getTime()) / DAY;
  return random.chance(age > 14 ? 0.96 : 0.45);
}

/** Some hours up to a few days later, within the hours in which people write. */
export function later({ random }: Setting, date: Date): Date {
  const hours = random.chance(0.6) ? random.between(1, 20) : random.between(20, 90);
  const moment = new Date(date.getTime() + hours * 3_600_000 + random.between(0, 3_599) * 1_000);
  const hour = moment.getUTCHours();
  if (hour >= 6 && hour <= 21) return moment;
  return new Date(moment.getTime() + 9 * 3_600_000);
}
