import type { Scope } from '@postroom/contract/lists';
import type { SendingLevel } from '@postroom/contract/sending-levels';
import type { DateTime } from './types.ts';

/** A message that an agent asks to send, and that waits for a person. */
export interface ApprovalAnswer {
  /** It changes with the content of the message. */
  id: string;
  draftId: string;
  from: string;
  to: string[];
  cc: string[];
  bcc: string[];
  subject: string;
  client: { grantId: string; name: string };
  /** The person who let the client in. */
  person: { id: string; name: string } | null;
  createdAt: DateTime;
  expiresAt: DateTime;
}

/** The same with its body, as it leaves. */
export interface WholeApprovalAnswer extends ApprovalAnswer {
  text: string | null;
  html: string | null;
  /** The html as mail programs show it, with the targets of its links. */
  readableHtml: string | null;
  /** The message holds text that its readers may not see. */
  hidesText: boolean;
}

export interface GrantAnswer {
  id: string;
  clientName: string;
  /** The host that the client returns to. */
  clientHost: string;
  level: SendingLevel;
  scopes: Scope[];
  person: { id: string; name: string };
  createdAt: DateTime;
  lastUsedAt: DateTime | null;
  /** The sends that it asked for since midnight in UTC. */
  sendsToday: number;
}

export interface AgentSendingAnswer {
  isStopped: boolean;
  stoppedAt: DateTime | null;
  /** The name of the person; null for an operator, and while nothing is stopped. */
  stoppedBy: string | null;
  /** The most that one client may send in a day. */
  sendsPerDay: number;
}

export interface GrantListAnswer {
  items: GrantAnswer[];
  sending: AgentSendingAnswer;
}
