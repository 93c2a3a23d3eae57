import { type TypeOf, part, presentText, required, schema, typed } from '../schemas/schema.ts';

/** Counts of one subject on one day (UTC), by one process. Several processes have documents of their own, and readers add them up. */
export interface DayCountsDocument extends TypeOf<typeof dayCountsSchema> {}
export const dayCountsSchema = schema({
  workspaceId: required(String),
  /** A key, a rule, or the workspace itself for all of its rules. */
  subject: required(String),
  day: required(Date),
  /** Each only ever grows: a write that is repeated changes nothing. */
  counts: typed<Record<string, number>>(Object),
  expiresAt: required(Date),
});

/** The id is that of the key. */
export interface KeyUseDocument extends TypeOf<typeof keyUseSchema> {}
export const keyUseSchema = schema({
  workspaceId: required(String),
  /** `at` stands first, because the later use is the greater value. */
  last: part({
    at: required(Date),
    address: presentText,
  }),
});

/** `at` stands first, because the later reading is the greater value. */
export interface LimitReadingPart extends TypeOf<typeof limitReadingPart> {}
const limitReadingPart = part({
  at: required(Date),
  minuteUsed: required(Number),
  minuteEnds: required(Date),
  monthUsed: required(Number),
  monthEnds: required(Date),
});

/** The part of its plan that a workspace had used at its last call. The id is that of the workspace. */
export interface LimitReadingDocument extends TypeOf<typeof limitReadingSchema> {}
export const limitReadingSchema = schema({ workspaceId: required(String), last: limitReadingPart });
