import type { ClassificationDocument, VerdictPart } from '../documents/classification.ts';
import { part, required, schema, text } from './schema.ts';

export const classification = schema<ClassificationDocument>({
  workspaceId: required(String),
  mailboxId: required(String),
  verdicts: [
    part<VerdictPart>({
      ruleId: required(String),
      labelId: required(String),
      applies: Boolean,
      confidence: Number,
      reason: text,
    }),
  ],
  model: text,
  inputTokens: Number,
  outputTokens: Number,
  durationMs: Number,
  isBackfill: Boolean,
  createdAt: required(Date),
  expiresAt: Date,
});
