import { type TypeOf, absentOr, required, schema, typed } from '../schemas/schema.ts';

/** One change of a workspace, under its number. Its id is that of the event that announced it. */
export interface ChangeDocument extends TypeOf<typeof changeSchema> {}
export const changeSchema = schema({
  workspaceId: required(String),
  /** From 1, without a gap. */
  seq: required(Number),
  event: required(String),
  data: required(typed<Record<string, unknown>>(Object)),
  /** The facts that the change states, such as whether an email is read; empty where it states none that can change. */
  aspects: [String],
  /** The time of the event. */
  createdAt: required(Date),
  /** Absent from the newest change of a workspace that has had none for longer than changes are kept. */
  appendedAt: absentOr(Date),
});
