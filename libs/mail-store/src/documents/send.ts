import { undonePart } from './effect.ts';
import type { AutoForwardMode } from '@postroom/contract/lists';
import {
  type TypeOf,
  absentOrNull,
  nullable,
  absentOr,
  part,
  presentText,
  required,
  schema,
  typed,
} from '../schemas/schema.ts';

export type SendState =
  /** A person has to approve it. It is canceled where nobody does. */
  | 'awaiting_approval'
  /** Waits for its time; nothing was tried yet. */
  | 'scheduled'
  /** On its way to the server, which cannot have accepted it before `data_ending`. */
  | 'connecting'
  /** Written by earlier versions alone, and means the same as `connecting`. */
  | 'data_started'
  /** The end of the message was handed over, or is about to be: from here on only the server knows. */
  | 'data_ending'
  | 'unknown'
  | 'accepted'
  /** It stands among the sent emails of its mailbox. */
  | 'recorded'
  | 'failed'
  | 'canceled';

/** A recipient who has not got it; `isFinal` once nothing more is tried. */
export interface RefusedPart extends TypeOf<typeof refusedPart> {}
const refusedPart = part({ address: presentText, reason: presentText, isFinal: required(Boolean) });

/**
 * A `remainder` has the recipients that the server deferred when it accepted another send for the others. An `approved`
 * one leaves in the background, once a person has approved it.
 */
type SendKind = 'send' | 'approved' | 'reply' | 'forward' | 'remainder';

/** The agent that asked for a send: the grant of an OAuth client, or an API key. */
export interface AgentPart extends TypeOf<typeof agentPart> {}
const agentPart = part({
  kind: required(typed<'grant' | 'key'>(String)),
  id: required(String),
  name: presentText,
  /** The person who gave the grant. */
  personId: nullable(String),
});

/** The edit that put another draft in the place of this one. */
export interface ReplacementPart extends TypeOf<typeof replacementPart> {}
const replacementPart = part({
  operation: required(String),
  draftId: required(String),
  /** False while the draft before may still be there. */
  isDone: required(Boolean),
});

export interface ShownMessagePart extends TypeOf<typeof shownMessagePart> {}
const shownMessagePart = part({
  to: [String],
  cc: [String],
  bcc: [String],
  subject: presentText,
  html: nullable(String),
  text: nullable(String),
});

/** The approval is for the bytes of its send: exactly they leave. */
export interface ApprovalPart extends TypeOf<typeof approvalPart> {}
const approvalPart = part({
  id: required(String),
  /** The text of the message for the person who decides. */
  shown: required(shownMessagePart),
  expiresAt: required(Date),
  decision: nullable(typed<'approved' | 'refused'>(String)),
  /** The person; null for an operator, and while nobody has decided. */
  decidedBy: nullable(String),
  decidedAt: nullable(Date),
});

/** One operation is one message at most: its id is made of the workspace and the caller's operation id. */
export interface SendDocument extends TypeOf<typeof sendSchema> {}
export const sendSchema = schema({
  workspaceId: required(String),
  mailboxId: required(String),
  kind: required(typed<SendKind>(String)),
  state: required(typed<SendState>(String)),
  /** Hash of what was asked: the same operation id with another message is a conflict. */
  fingerprint: required(String),
  messageId: required(String),
  from: required(String),
  to: [String],
  /** As it goes over the wire; gone once it is recorded or given up. */
  wire: nullable(Buffer),
  /** As it is kept in Sent, where that is not the same: with its Bcc. */
  kept: nullable(Buffer),
  /** When a reply or a forward is to go out. */
  scheduledSendAt: nullable(Date),
  /** The draft that this sends, which then becomes the sent email. */
  draftId: nullable(String),
  /** Of a send whose draft an edit replaces; the repeat of the edit is answered from it. Earlier versions did not say. */
  replacement: absentOrNull(replacementPart),
  /** The email and the rule that this answers or forwards. */
  sourceEmailId: nullable(String),
  ruleId: nullable(String),
  /** The version of the rule that it was prepared by. Earlier versions said it for replies alone. */
  ruleUpdatedAt: absentOr(Date),
  /** Of a forward: the condition that applied, in words. */
  reason: absentOr(String),
  /** Of a forward that a person has stopped before it left. */
  undone: absentOrNull(undonePart),
  /** The send whose deferred recipients these are. */
  remainderOf: nullable(String),
  /** Set only for a forward. */
  mode: absentOr(typed<AutoForwardMode>(String)),
  /** The bytes here lack the attachments of the forwarded email. They are added when the message is sent. */
  attaches: absentOr(Boolean),
  /** The trace that it goes on, where one is kept. */
  traceparent: absentOr(String),
  /** The recipient of a reply, in the form for comparison. */
  correspondent: nullable(String),
  /** Null where a person or a rule asked for it. Earlier versions did not say. */
  agent: absentOrNull(agentPart),
  /** Null where it needs none. */
  approval: absentOrNull(approvalPart),
  /** The sent email, once it is recorded. */
  emailId: nullable(String),
  attempts: required(Number),
  lastError: nullable(String),
  refused: [refusedPart],
  /** Fencing token: each claim of the send increases it, and a writer with an older one changes nothing. */
  epoch: required(Number),
  /** When a worker may claim it: its scheduled time, or the end of the current lease. Null when it is complete. */
  nextAt: nullable(Date),
  createdAt: required(Date),
  updatedAt: required(Date),
  expiresAt: required(Date),
});

/** The sends that one grant has asked for on one day. A repeat for the same send takes no second one. */
export const agentSendCountSchema = schema({
  workspaceId: required(String),
  sendIds: [String],
  expiresAt: required(Date),
});

/** While it is there, no agent of the workspace sends. Its id is the workspace's. */
export interface AgentStopDocument extends TypeOf<typeof agentStopSchema> {}
export const agentStopSchema = schema({
  workspaceId: required(String),
  /** Null for an operator. */
  stoppedBy: nullable(String),
  stoppedAt: required(Date),
});

/** The permit for one message in transit. After a crash of its holder it expires. */
export interface SendPermitPart extends TypeOf<typeof sendPermitPart> {}
const sendPermitPart = part({ id: required(String), until: required(Date) });

/** The send permits and the pace of one mailbox at its mail server, shared by all processes. */
export interface SendPermitsDocument extends TypeOf<typeof sendPermitsSchema> {}
export const sendPermitsSchema = schema({
  /** The mailbox's own. */
  _id: String,
  workspaceId: required(String),
  holders: [sendPermitPart],
  /** A caller waits for a permit: until this time no automatic message gets one. */
  wantedUntil: required(Date),
  /** The automatic messages so far use up the rate limit until this time. A number, so that $inc can add to it. */
  pacedUntil: required(Number),
  /** Consecutive failures to reach the server. Because of them no automatic message is sent before `restsUntil`. */
  failures: required(Number),
  restsUntil: required(Date),
  expiresAt: required(Date),
});
