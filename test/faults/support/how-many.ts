const { POSTROOM_FULL, POSTROOM_EMAILS } = process.env;

/** How many emails a run takes: few in every suite, all with POSTROOM_FULL, or as many as POSTROOM_EMAILS says. */
export function howManyEmails(few: number): number {
  return Number(POSTROOM_EMAILS ?? (POSTROOM_FULL ? 20_000 : few));
}
