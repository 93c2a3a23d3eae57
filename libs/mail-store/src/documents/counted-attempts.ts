import { type TypeOf, absentOr, required, schema } from '../schemas/schema.ts';

/** Attempts at one piece of work that have begun and not ended. Its process ends an attempt, or dies in it. */
export interface CountedAttemptsDocument extends TypeOf<typeof countedAttemptsSchema> {}
export const countedAttemptsSchema = schema({
  workspaceId: required(String),
  attempts: required(Number),
  /** The last one is in work until then, or its process has ended. */
  leaseUntil: absentOr(Date),
  expiresAt: required(Date),
});
