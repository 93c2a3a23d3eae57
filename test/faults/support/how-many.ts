const { POSTROOM_FULL, POSTROOM_EMAILS } = process.env;

/** The number of emails in a run: few by default, 20 000 with POSTROOM_FULL, or the number in POSTROOM_EMAILS. */
export function howManyEmails(few: number): number {
  return Number(POSTROOM_EMAILS ?? (POSTROOM_FULL ? 20_000 : few));
}
