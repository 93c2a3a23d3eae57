import type { DeliveryStatus, WebhookEvent, WebhookStatus } from '@postroom/contract/lists';
import { envelopePart } from './mailbox.ts';
import { type TypeOf, nullable, absentOr, part, presentText, required, schema, typed } from '../schemas/schema.ts';

/** An endpoint: a cursor over the changes of its workspace. */
export interface WebhookDocument extends TypeOf<typeof webhookSchema> {}
export const webhookSchema = schema({
  workspaceId: required(String),
  url: required(String),
  /** Empty: all announced events. */
  events: [typed<WebhookEvent>(String)],
  description: nullable(String),
  status: required(typed<WebhookStatus>(String)),
  /** The sealed signing secret. */
  secret: envelopePart,
  /** The operation that made the secret. Its repeat is answered with the same secret. */
  secretOperation: presentText,
  /** Every change up to this number has been tried, or is none for this endpoint. */
  cursor: required(Number),
  /** Changes up to this number are delivered one after the other, because the endpoint catches up. */
  orderedUntil: required(Number),
  /** No waiting delivery is due before this time; null where none waits. */
  dueAt: nullable(Date),
  /** The first failure since the last success. */
  failingSince: nullable(Date),
  disabledAt: nullable(Date),
  createdAt: required(Date),
  updatedAt: required(Date),
  /** Set by every write that the process that delivers has to hear of. */
  touchedAt: required(Date),
});

export interface DeliveryAttemptPart extends TypeOf<typeof deliveryAttemptPart> {}
const deliveryAttemptPart = part({
  at: required(Date),
  /** Null where there was no answer. */
  status: nullable(Number),
  durationMs: required(Number),
  error: nullable(String),
});

/** A change for an endpoint, once it has been tried or recovered. Its id is made of the two. */
export interface DeliveryDocument extends TypeOf<typeof deliverySchema> {}
export const deliverySchema = schema({
  workspaceId: required(String),
  webhookId: required(String),
  changeId: required(String),
  seq: required(Number),
  event: required(typed<WebhookEvent>(String)),
  data: required(typed<Record<string, unknown>>(Object)),
  /** The time of the change. */
  changedAt: required(Date),
  status: required(typed<DeliveryStatus>(String)),
  attempts: [deliveryAttemptPart],
  /** The failed attempts that count towards the last one; replays do not. */
  failures: required(Number),
  /** Absent unless an attempt is planned. */
  nextAttemptAt: absentOr(Date),
  /** Absent unless a replay was asked for and not made yet. */
  replayAt: absentOr(Date),
  createdAt: required(Date),
  expiresAt: required(Date),
});

/** A process that delivers. The live ones share the workspaces. */
export interface DelivererDocument extends TypeOf<typeof delivererSchema> {}
export const delivererSchema = schema({
  /** It has its share from here on, so that all others know before. */
  activeFrom: required(Date),
  /** It is gone after this time, unless it says again that it lives. */
  expiresAt: required(Date),
});
