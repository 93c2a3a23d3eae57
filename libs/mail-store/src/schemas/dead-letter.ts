import type { DeadLetterDocument } from '../documents/dead-letter.ts';
import { presentText, required, schema } from './schema.ts';

export const deadLetterSchema = schema<DeadLetterDocument>({
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
  replayId: presentText,
  replayUntil: required(Date),
  expiresAt: required(Date),
});
