import type { CountedAttemptsDocument } from '../documents/counted-attempts.ts';
import { required, schema } from './schema.ts';

export const countedAttemptsSchema = schema<CountedAttemptsDocument>({
  workspaceId: required(String),
  attempts: required(Number),
  leaseUntil: Date,
  expiresAt: required(Date),
});
