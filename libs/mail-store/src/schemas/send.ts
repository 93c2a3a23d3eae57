import type {
  AgentPart,
  AgentSendCountDocument,
  AgentStopDocument,
  ApprovalPart,
  RefusedPart,
  ReplacementPart,
  SendDocument,
  SendPermitsDocument,
  SendPermitPart,
  ShownMessagePart,
} from '../documents/send.ts';
import type { UndonePart } from '../documents/effect.ts';
import { nullable, part, required, schema, presentText } from './schema.ts';

const refused = part<RefusedPart>({ address: presentText, reason: presentText, isFinal: required(Boolean) });

const agent = part<AgentPart>({
  kind: required(String),
  id: required(String),
  name: presentText,
  personId: nullable(String),
});

const shownMessage = part<ShownMessagePart>({
  to: [String],
  cc: [String],
  bcc: [String],
  subject: presentText,
  html: nullable(String),
  text: nullable(String),
});

const approval = part<ApprovalPart>({
  id: required(String),
  shown: required(shownMessage),
  expiresAt: required(Date),
  decision: nullable(String),
  decidedBy: nullable(String),
  decidedAt: nullable(Date),
});

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
  replacement: nullable(
    part<ReplacementPart>({ operation: required(String), draftId: required(String), isDone: required(Boolean) }),
  ),
  sourceEmailId: nullable(String),
  ruleId: nullable(String),
  ruleUpdatedAt: Date,
  reason: String,
  undone: nullable(part<UndonePart>({ effectId: required(String), by: required(String), at: required(Date) })),
  remainderOf: nullable(String),
  mode: String,
  attaches: Boolean,
  traceparent: String,
  correspondent: nullable(String),
  agent: nullable(agent),
  approval: nullable(approval),
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

export const agentSendCountSchema = schema<AgentSendCountDocument>({
  workspaceId: required(String),
  sendIds: [String],
  expiresAt: required(Date),
});

export const agentStopSchema = schema<AgentStopDocument>({
  workspaceId: required(String),
  stoppedBy: nullable(String),
  stoppedAt: required(Date),
});
