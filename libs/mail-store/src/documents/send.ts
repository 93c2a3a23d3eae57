import type { UndonePart } from './effect.ts';
import type { AutoForwardMode } from '@postroom/contract/lists';

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
export interface RefusedPart {
  address: string;
  reason: string;
  isFinal: boolean;
}

/**
 * A `remainder` has the recipients that the server deferred when it accepted another send for the others. An `approved`
 * one leaves in the background, once a person has approved it.
 */
export type SendKind = 'send' | 'approved' | 'reply' | 'forward' | 'remainder';

/** The agent that asked for a send: the grant of an OAuth client, or an API key. */
export interface AgentPart {
  kind: 'grant' | 'key';
  id: string;
  name: string;
  /** The person who gave the grant. */
  personId: string | null;
}

/** The approval is for the bytes of its send: exactly they leave. */
export interface ApprovalPart {
  id: string;
  /** The text of the message for the person who decides. */
  shown: ShownMessagePart;
  expiresAt: Date;
  decision: 'approved' | 'refused' | null;
  /** The person; null for an operator, and while nobody has decided. */
  decidedBy: string | null;
  decidedAt: Date | null;
}

/** The edit that put another draft in the place of this one. */
export interface ReplacementPart {
  operation: string;
  draftId: string;
  /** False while the draft before may still be there. */
  isDone: boolean;
}

export interface ShownMessagePart {
  to: string[];
  cc: string[];
  bcc: string[];
  subject: string;
  html: string | null;
  text: string | null;
}

/** One operation is one message at most: its id is made of the workspace and the caller's operation id. */
export interface SendDocument {
  _id: string;
  workspaceId: string;
  mailboxId: string;
  kind: SendKind;
  state: SendState;
  /** Hash of what was asked: the same operation id with another message is a conflict. */
  fingerprint: string;
  messageId: string;
  from: string;
  to: string[];
  /** As it goes over the wire; gone once it is recorded or given up. */
  wire: Buffer | null;
  /** As it is kept in Sent, where that is not the same: with its Bcc. */
  kept: Buffer | null;
  /** When a reply or a forward is to go out. */
  scheduledSendAt: Date | null;
  /** The draft that this sends, which then becomes the sent email. */
  draftId: string | null;
  /** Of a send whose draft an edit replaces; the repeat of the edit is answered from it. Earlier versions did not say. */
  replacement?: ReplacementPart | null;
  /** The email and the rule that this answers or forwards. */
  sourceEmailId: string | null;
  ruleId: string | null;
  /** The version of the rule that it was prepared by. Earlier versions said it for replies alone. */
  ruleUpdatedAt?: Date;
  /** Of a forward: the condition that applied, in words. */
  reason?: string;
  /** Of a forward that a person has stopped before it left. */
  undone?: UndonePart | null;
  /** The send whose deferred recipients these are. */
  remainderOf: string | null;
  /** Set only for a forward. */
  mode?: AutoForwardMode;
  /** The bytes here lack the attachments of the forwarded email. They are added when the message is sent. */
  attaches?: boolean;
  /** The recipient of a reply, in the form for comparison. */
  correspondent: string | null;
  /** Null where a person or a rule asked for it. Earlier versions did not say. */
  agent?: AgentPart | null;
  /** Null where it needs none. */
  approval?: ApprovalPart | null;
  /** The sent email, once it is recorded. */
  emailId: string | null;
  /** The trace that it goes on, where one is kept. */
  traceparent?: string;
  attempts: number;
  lastError: string | null;
  refused: RefusedPart[];
  /** Fencing token: each claim of the send increases it, and a writer with an older one changes nothing. */
  epoch: number;
  /** When a worker may claim it: its scheduled time, or the end of the current lease. Null when it is complete. */
  nextAt: Date | null;
  createdAt: Date;
  updatedAt: Date;
  expiresAt: Date;
}

/** The sends that one grant has asked for on one day. A repeat for the same send takes no second one. */
export interface AgentSendCountDocument {
  _id: string;
  workspaceId: string;
  sendIds: string[];
  expiresAt: Date;
}

/** While it is there, no agent of the workspace sends. Its id is the workspace's. */
export interface AgentStopDocument {
  _id: string;
  workspaceId: string;
  /** Null for an operator. */
  stoppedBy: string | null;
  stoppedAt: Date;
}

/** The permit for one message in transit. After a crash of its holder it expires. */
export interface SendPermitPart {
  id: string;
  until: Date;
}

/** The send permits and the pace of one mailbox at its mail server, shared by all processes. */
export interface SendPermitsDocument {
  /** The mailbox's own. */
  _id: string;
  workspaceId: string;
  holders: SendPermitPart[];
  /** A caller waits for a permit: until this time no automatic message gets one. */
  wantedUntil: Date;
  /** The automatic messages so far use up the rate limit until this time. A number, so that $inc can add to it. */
  pacedUntil: number;
  /** Consecutive failures to reach the server. Because of them no automatic message is sent before `restsUntil`. */
  failures: number;
  restsUntil: Date;
  expiresAt: Date;
}
