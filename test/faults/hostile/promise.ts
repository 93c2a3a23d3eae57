import type { Attack } from './attack.ts';
import type { Outcome, Siege } from './siege.ts';

/** What a victim's slowest tenth may take, in times of its quiet one. */
const MOST_SLOWER = 4;
/** All services share this machine's few processors, with the attacker too: below this its scheduler is what is measured. */
const FLOOR_MS = 200;
/** What else the machine does meets one try; what an attack does meets all of them. */
const TRIES = 3;

/** What other services may take, in times of their quiet size. */
export const MOST_HEAVIER = 2;

/** How an attack broke what is promised to everybody else; undefined when it did not. */
export function brokenBy({ faults, attacked, quiet }: Outcome): string | undefined {
  if (faults.length > 0) return faults.join('; ');
  if (attacked <= MOST_SLOWER * Math.max(quiet, FLOOR_MS)) return undefined;
  return `the slowest tenth took ${Math.round(attacked)} ms, and ${Math.round(quiet)} ms when it was quiet`;
}

/** An attack that breaks the promise does so each time. */
export async function withstand(
  siege: Siege,
  attack: Attack,
): Promise<{ outcome: Outcome; broken: string | undefined }> {
  let outcome = await siege.suffer(attack);
  for (let tries = 1; tries < TRIES && brokenBy(outcome); tries++) outcome = await siege.suffer(attack);
  return { outcome, broken: brokenBy(outcome) };
}
