import type { EnvelopePart } from '../documents/mailbox.ts';
import type {
  DelivererDocument,
  DeliveryAttemptPart,
  DeliveryDocument,
  WebhookDocument,
} from '../documents/webhook.ts';
import { nullable, part, required, schema, presentText } from './schema.ts';

export const webhookSchema = schema<WebhookDocument>({
  workspaceId: required(String),
  url: required(String),
  events: [String],
  description: nullable(String),
  status: required(String),
  secret: part<EnvelopePart>({ keyId: String, wrappedKey: String, sealed: String }),
  secretOperation: presentText,
  cursor: required(Number),
  orderedUntil: required(Number),
  dueAt: nullable(Date),
  failingSince: nullable(Date),
  disabledAt: nullable(Date),
  createdAt: required(Date),
  updatedAt: required(Date),
  touchedAt: required(Date),
});

export const deliverySchema = schema<DeliveryDocument>({
  workspaceId: required(String),
  webhookId: required(String),
  changeId: required(String),
  seq: required(Number),
  event: required(String),
  data: required(Object),
  changedAt: required(Date),
  status: required(String),
  attempts: [
    part<DeliveryAttemptPart>({
      at: required(Date),
      status: nullable(Number),
      durationMs: required(Number),
      error: nullable(String),
    }),
  ],
  failures: required(Number),
  nextAttemptAt: Date,
  replayAt: Date,
  createdAt: required(Date),
  expiresAt: required(Date),
});

export const delivererSchema = schema<DelivererDocument>({ activeFrom: required(Date), expiresAt: required(Date) });
