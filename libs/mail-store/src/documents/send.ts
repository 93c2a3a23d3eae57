import type { AutoForwardMode } from '@postroom/contract/lists';

export type SendState =
  /** Waits for its time; nothing was tried yet. */
  | 'scheduled'
  /** On its way to the server, which cannot have accepted it before `data_ending`. */
  | 'connecting'
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

/** One operation is one message at most: its id is made of the workspace and the caller's operation id. */
export interface SendDocument {
  _id: string;
  workspaceId: string;
  mailboxId: string;
  /** A remainder are the recipients of another send whom the server put off while it took the message for the others. */
  kind: 'send' | 'reply' | 'forward' | 'remainder';
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
  /** The email and the rule that this answers or forwards. */
  sourceEmailId: string | null;
  ruleId: string | null;
  /** Of a reply: the version of its rule that it was prepared by. */
  ruleUpdatedAt?: Date;
  /** The send of whose recipients these are some. */
  remainderOf: string | null;
  /** How a forward goes out. */
  mode?: AutoForwardMode;
  /** What it forwards has attachments, which are not in its bytes here: they go along when it goes out. */
  attaches?: boolean;
  /** Of a reply: whom it goes to, as addresses are compared. */
  correspondent: string | null;
  /** The sent email, once it is recorded. */
  emailId: string | null;
  /** The trace that it goes on, where one is kept. */
  traceparent?: string;
  attempts: number;
  lastError: string | null;
  refused: RefusedPart[];
  /** Raised by whoever takes the send up; a writer with an older one changes nothing any more. */
  epoch: number;
  /** When somebody has to look at it again: its time, or the end of the lease of who works on it. Null: it is over. */
  nextAt: Date | null;
  createdAt: Date;
  updatedAt: Date;
  expiresAt: Date;
}

/** A message of a mailbox that is on its way; who died gives the turn back by time. */
export interface TurnPart {
  id: string;
  until: Date;
}

/** What one mailbox asks of its mail server, through however many processes. */
export interface SendTurnsDocument {
  /** The mailbox's own. */
  _id: string;
  workspaceId: string;
  holders: TurnPart[];
  /** A caller waits for a turn: until then nothing that leaves by itself takes one. */
  wantedUntil: Date;
  /** When the automatic messages counted so far are all paid for at the pace; in milliseconds, which can be added to. */
  pacedUntil: number;
  /** How often in a row its server was not there, and until when nothing is tried by itself therefore. */
  failures: number;
  restsUntil: Date;
  expiresAt: Date;
}
