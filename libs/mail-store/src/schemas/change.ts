import type { ChangeDocument } from '../documents/change.ts';
import { required, schema } from './schema.ts';

export const changeSchema = schema<ChangeDocument>({
  workspaceId: required(String),
  seq: required(Number),
  event: required(String),
  data: required(Object),
  aspects: [String],
  createdAt: required(Date),
  appendedAt: Date,
});
