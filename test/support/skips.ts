import { appendFileSync } from 'node:fs';

/** Says which tests do not run here and why: at once, and at the end of a run that keeps such a list. */
export function skipAloud(what: string): void {
  const list = process.env.POSTROOM_SKIPPED_LIST;
  if (list) appendFileSync(list, `${what}\n`);
  else process.stdout.write(`Skipped: ${what}\n`);
}
