import { type TypeOf, presentText, required, schema } from '../schemas/schema.ts';

/** An event that a consumer gave up after its last attempt. Each consumer stores its own, through one store (`dead-letter-store.ts`). */
export interface DeadLetterDocument extends TypeOf<typeof deadLetterSchema> {}
export const deadLetterSchema = schema({
  /** Empty where the event cannot be read. */
  workspaceId: presentText,
  topic: required(String),
  group: required(String),
  eventId: required(String),
  key: presentText,
  occurredAt: required(Date),
  value: required(Buffer),
  cause: presentText,
  attempts: required(Number),
  replays: required(Number),
  givenUpAt: required(Date),
  /** The replay that is under way, until this time: no other begins. */
  replayId: presentText,
  replayUntil: required(Date),
  expiresAt: required(Date),
});
