import type { Attack } from './attack.ts';
import type { Outcome, AttackRun } from './attack-run.ts';

/** The slowest tenth of a victim's calls may take this many times its quiet value. */
const MOST_SLOWER = 4;
/** The services and the attacker share few processors: below this value, the test would measure the scheduler. */
const FLOOR_MS = 200;
/** Other work of the machine disturbs some tries, and most of them where other suites run beside; an attack disturbs all of them. */
const TRIES = 8;

/** Other services may grow to this many times their quiet size. */
export const MOST_HEAVIER = 2;

/** Describes how an attack broke the promise to all others; undefined if it did not. */
export function brokenBy({ faults, attacked, quiet }: Outcome): string | undefined {
  if (faults.length > 0) return faults.join('; ');
  if (attacked <= MOST_SLOWER * Math.max(quiet, FLOOR_MS)) return undefined;
  return `the slowest tenth took ${Math.round(attacked)} ms, and ${Math.round(quiet)} ms when it was quiet`;
}

/** An attack that breaks the promise does so each time. */
export async function withstand(
  attackRun: AttackRun,
  attack: Attack,
): Promise<{ outcome: Outcome; broken: string | undefined }> {
  let outcome = await attackRun.suffer(attack);
  for (let tries = 1; tries < TRIES && brokenBy(outcome); tries++) outcome = await attackRun.suffer(attack);
  return { outcome, broken: brokenBy(outcome) };
}
