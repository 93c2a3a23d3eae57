import type { Connection, Model } from 'mongoose';
import type {
  EmailDocument,
  BodyDocument,
  SetAsideDocument,
  SetAsidePieceDocument,
  ThreadLinkDocument,
} from './documents/email.ts';
import type { IdempotencyDocument, SchemaVersionDocument } from './documents/gateway.ts';
import type {
  AiLabelRuleDocument,
  AutoForwardLogDocument,
  AutoForwardRuleDocument,
  LabelDocument,
} from './documents/label.ts';
import type { MailboxDocument } from './documents/mailbox.ts';
import type { InboxFilterDocument, ViewDocument } from './documents/view-filter.ts';
import type { ApiKeyDocument, SignatureDocument, WorkspaceDocument } from './documents/workspace.ts';
import { schemas } from './schemas.ts';

/** Every collection with the one service that writes it; others may read. */
export const writers = {
  workspaces: 'workspace',
  apiKeys: 'workspace',
  mailboxes: 'workspace',
  signatures: 'workspace',
  emails: 'mailbox-write',
  bodies: 'mailbox-write',
  setAside: 'mailbox-write',
  setAsidePieces: 'mailbox-write',
  threadLinks: 'mailbox-write',
  labels: 'label-rule',
  aiLabelRules: 'label-rule',
  autoForwardRules: 'label-rule',
  autoForwardLogs: 'label-rule',
  views: 'view-filter',
  inboxFilters: 'view-filter',
  idempotencyRecords: 'gateway',
  schemaVersions: 'migrate',
} as const;

export type CollectionName = keyof typeof writers;

/** The models of one connection; a service opens them once and hands them to its stores. */
export function openCollections(connection: Connection) {
  const model = <T>(name: CollectionName, schema: (typeof schemas)[keyof typeof schemas]) =>
    connection.model(name, schema, name) as unknown as Model<T>;
  return {
    workspaces: model<WorkspaceDocument>('workspaces', schemas.workspace),
    apiKeys: model<ApiKeyDocument>('apiKeys', schemas.apiKey),
    mailboxes: model<MailboxDocument>('mailboxes', schemas.mailbox),
    signatures: model<SignatureDocument>('signatures', schemas.signature),
    emails: model<EmailDocument>('emails', schemas.email),
    bodies: model<BodyDocument>('bodies', schemas.body),
    setAside: model<SetAsideDocument>('setAside', schemas.setAside),
    setAsidePieces: model<SetAsidePieceDocument>('setAsidePieces', schemas.setAsidePiece),
    threadLinks: model<ThreadLinkDocument>('threadLinks', schemas.threadLink),
    labels: model<LabelDocument>('labels', schemas.label),
    aiLabelRules: model<AiLabelRuleDocument>('aiLabelRules', schemas.aiLabelRule),
    autoForwardRules: model<AutoForwardRuleDocument>('autoForwardRules', schemas.autoForwardRule),
    autoForwardLogs: model<AutoForwardLogDocument>('autoForwardLogs', schemas.autoForwardLog),
    views: model<ViewDocument>('views', schemas.view),
    inboxFilters: model<InboxFilterDocument>('inboxFilters', schemas.inboxFilter),
    idempotencyRecords: model<IdempotencyDocument>('idempotencyRecords', schemas.idempotency),
    schemaVersions: model<SchemaVersionDocument>('schemaVersions', schemas.schemaVersion),
  };
}

export type Collections = ReturnType<typeof openCollections>;
