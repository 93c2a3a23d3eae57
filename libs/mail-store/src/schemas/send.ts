import type { RefusedPart, SendDocument, SendPermitsDocument, SendPermitPart } from '../documents/send.ts';
import { nullable, part, required, schema, presentText } from './schema.ts';

const refused = part<RefusedPart>({ address: presentText, reason: presentText, isFinal: required(Boolean) });

export const sendSchema = schema<SendDocument>({
  workspaceId: required(String),
  mailboxId: required(String),
  kind: required(String),
  state: required(String),
  fingerprint: required(String),
  messageId: required(String),
  from: required(String),
  to: [String],
  wire: nullable(Buffer),
  kept: nullable(Buffer),
  scheduledSendAt: nullable(Date),
  draftId: nullable(String),
  sourceEmailId: nullable(String),
  ruleId: nullable(String),
  ruleUpdatedAt: Date,
  remainderOf: nullable(String),
  mode: String,
  attaches: Boolean,
  traceparent: String,
  correspondent: nullable(String),
  emailId: nullable(String),
  attempts: required(Number),
  lastError: nullable(String),
  refused: [refused],
  epoch: required(Number),
  nextAt: nullable(Date),
  createdAt: required(Date),
  updatedAt: required(Date),
  expiresAt: required(Date),
});

const permit = part<SendPermitPart>({ id: required(String), until: required(Date) });

export const sendPermitsSchema = schema<SendPermitsDocument>({
  workspaceId: required(String),
  holders: [permit],
  wantedUntil: required(Date),
  pacedUntil: required(Number),
  failures: required(Number),
  restsUntil: required(Date),
  expiresAt: required(Date),
});
