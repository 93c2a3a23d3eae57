import type { DeliveryStatus, WebhookEvent, WebhookStatus } from '@postroom/contract/lists';
import type { EnvelopePart } from './mailbox.ts';

/** An endpoint: a cursor over the changes of its workspace. */
export interface WebhookDocument {
  _id: string;
  workspaceId: string;
  url: string;
  /** Empty: all announced events. */
  events: WebhookEvent[];
  description: string | null;
  status: WebhookStatus;
  /** The sealed signing secret. */
  secret: EnvelopePart;
  /** The operation that made the secret. Its repeat is answered with the same secret. */
  secretOperation: string;
  /** Every change up to this number has been tried, or is none for this endpoint. */
  cursor: number;
  /** Changes up to this number are delivered one after the other, because the endpoint catches up. */
  orderedUntil: number;
  /** No waiting delivery is due before this time; null where none waits. */
  dueAt: Date | null;
  /** The first failure since the last success. */
  failingSince: Date | null;
  disabledAt: Date | null;
  createdAt: Date;
  updatedAt: Date;
  /** Set by every write that the process that delivers has to hear of. */
  touchedAt: Date;
}

export interface DeliveryAttemptPart {
  at: Date;
  /** Null where there was no answer. */
  status: number | null;
  durationMs: number;
  error: string | null;
}

/** A change for an endpoint, once it has been tried or recovered. Its id is made of the two. */
export interface DeliveryDocument {
  _id: string;
  workspaceId: string;
  webhookId: string;
  changeId: string;
  seq: number;
  event: WebhookEvent;
  data: Record<string, unknown>;
  /** The time of the change. */
  changedAt: Date;
  status: DeliveryStatus;
  attempts: DeliveryAttemptPart[];
  /** The failed attempts that count towards the last one; replays do not. */
  failures: number;
  /** Absent unless an attempt is planned. */
  nextAttemptAt?: Date;
  /** Absent unless a replay was asked for and not made yet. */
  replayAt?: Date;
  createdAt: Date;
  expiresAt: Date;
}

/** A process that delivers. The live ones share the workspaces. */
export interface DelivererDocument {
  _id: string;
  /** It has its share from here on, so that all others know before. */
  activeFrom: Date;
  /** It is gone after this time, unless it says again that it lives. */
  expiresAt: Date;
}
