import type { ClassificationDocument, VerdictPart } from '../documents/classification.ts';
import { part, required, schema, presentText } from './schema.ts';

export const classificationSchema = schema<ClassificationDocument>({
  workspaceId: required(String),
  mailboxId: required(String),
  verdicts: [
    part<VerdictPart>({
      ruleId: required(String),
      labelId: required(String),
      applies: Boolean,
      confidence: Number,
      reason: presentText,
      ruleUpdatedAt: Date,
    }),
  ],
  model: presentText,
  inputTokens: Number,
  outputTokens: Number,
  durationMs: Number,
  isBackfill: Boolean,
  createdAt: required(Date),
  expiresAt: Date,
});
