import type { Connection, Model } from 'mongoose';
import type {
  EmailDocument,
  BodyDocument,
  OriginalPieceDocument,
  PendingCopyDocument,
  RemovedEmailDocument,
  QuarantinedMessageDocument,
  QuarantinedPieceDocument,
  ThreadLinkDocument,
} from './documents/email.ts';
import type { BackfillJobDocument } from './documents/backfill.ts';
import type { ChangeDocument } from './documents/change.ts';
import type { ClassificationDocument } from './documents/classification.ts';
import type {
  IdempotencyDocument,
  MigrationPartDocument,
  MonthFloorDocument,
  SchemaVersionDocument,
} from './documents/gateway.ts';
import type {
  AiLabelRuleDocument,
  AutoForwardLogDocument,
  AutoForwardRuleDocument,
  LabelDocument,
} from './documents/label.ts';
import type { MailboxDocument } from './documents/mailbox.ts';
import type { SendDocument, SendTurnsDocument } from './documents/send.ts';
import type { FolderSyncDocument, MailboxLeaseDocument } from './documents/sync.ts';
import type { InboxFilterDocument, ViewDocument } from './documents/view-filter.ts';
import type { ApiKeyDocument, SignatureDocument, WorkspaceDocument } from './documents/workspace.ts';
import { storedName } from './stored-names.ts';
import { backfillJob } from './schemas/backfill.ts';
import { feedChange } from './schemas/change.ts';
import { classification } from './schemas/classification.ts';
import {
  body,
  email,
  originalPiece,
  pendingCopy,
  removedEmail,
  quarantinedMessages,
  quarantinedPiece,
  threadLink,
} from './schemas/email.ts';
import { idempotency, migrationPart, monthFloor, schemaVersion } from './schemas/gateway.ts';
import { aiLabelRule, autoForwardLog, autoForwardRule, label } from './schemas/label.ts';
import { mailbox } from './schemas/mailbox.ts';
import { send, sendTurns } from './schemas/send.ts';
import { folderSync, mailboxLease } from './schemas/sync.ts';
import { inboxFilter, view } from './schemas/view-filter.ts';
import { apiKey, signature, workspace } from './schemas/workspace.ts';

/** Every collection with the one service that writes it; others may read. */
export const writers = {
  workspaces: 'workspace',
  apiKeys: 'workspace',
  mailboxes: 'workspace',
  signatures: 'workspace',
  emails: 'mailbox-write',
  bodies: 'mailbox-write',
  pendingCopies: 'mailbox-write',
  originalPieces: 'mailbox-write',
  removedEmails: 'mailbox-write',
  classifications: 'mailbox-write',
  quarantinedMessages: 'mailbox-write',
  quarantinedPieces: 'mailbox-write',
  threadLinks: 'mailbox-write',
  labels: 'label-rule',
  aiLabelRules: 'label-rule',
  autoForwardRules: 'label-rule',
  autoForwardLogs: 'label-rule',
  backfillJobs: 'label-rule',
  views: 'view-filter',
  inboxFilters: 'view-filter',
  sends: 'outbound-send',
  sendTurns: 'outbound-send',
  mailboxLeases: 'mailbox-sync',
  folderSyncs: 'mailbox-sync',
  changes: 'changes',
  idempotencyRecords: 'gateway',
  monthFloors: 'gateway',
  schemaVersions: 'migrate',
  migrationParts: 'migrate',
} as const;

export type CollectionName = keyof typeof writers;

/** The models of one connection; a service opens them once and hands them to its stores. */
export interface Collections {
  workspaces: Model<WorkspaceDocument>;
  apiKeys: Model<ApiKeyDocument>;
  mailboxes: Model<MailboxDocument>;
  signatures: Model<SignatureDocument>;
  emails: Model<EmailDocument>;
  bodies: Model<BodyDocument>;
  pendingCopies: Model<PendingCopyDocument>;
  originalPieces: Model<OriginalPieceDocument>;
  removedEmails: Model<RemovedEmailDocument>;
  classifications: Model<ClassificationDocument>;
  quarantinedMessages: Model<QuarantinedMessageDocument>;
  quarantinedPieces: Model<QuarantinedPieceDocument>;
  threadLinks: Model<ThreadLinkDocument>;
  labels: Model<LabelDocument>;
  aiLabelRules: Model<AiLabelRuleDocument>;
  autoForwardRules: Model<AutoForwardRuleDocument>;
  autoForwardLogs: Model<AutoForwardLogDocument>;
  backfillJobs: Model<BackfillJobDocument>;
  views: Model<ViewDocument>;
  inboxFilters: Model<InboxFilterDocument>;
  sends: Model<SendDocument>;
  sendTurns: Model<SendTurnsDocument>;
  mailboxLeases: Model<MailboxLeaseDocument>;
  folderSyncs: Model<FolderSyncDocument>;
  changes: Model<ChangeDocument>;
  idempotencyRecords: Model<IdempotencyDocument>;
  monthFloors: Model<MonthFloorDocument>;
  schemaVersions: Model<SchemaVersionDocument>;
  migrationParts: Model<MigrationPartDocument>;
}

export function openCollections(connection: Connection): Collections {
  // "never" and the types written out: the compiler would compare all that mongoose can do otherwise, for seconds.
  const model = <T>(name: CollectionName, schema: object) =>
    connection.model<unknown, Model<T>>(name, schema as never, storedName(name));
  return {
    workspaces: model<WorkspaceDocument>('workspaces', workspace),
    apiKeys: model<ApiKeyDocument>('apiKeys', apiKey),
    mailboxes: model<MailboxDocument>('mailboxes', mailbox),
    signatures: model<SignatureDocument>('signatures', signature),
    emails: model<EmailDocument>('emails', email),
    bodies: model<BodyDocument>('bodies', body),
    pendingCopies: model<PendingCopyDocument>('pendingCopies', pendingCopy),
    originalPieces: model<OriginalPieceDocument>('originalPieces', originalPiece),
    removedEmails: model<RemovedEmailDocument>('removedEmails', removedEmail),
    classifications: model<ClassificationDocument>('classifications', classification),
    quarantinedMessages: model<QuarantinedMessageDocument>('quarantinedMessages', quarantinedMessages),
    quarantinedPieces: model<QuarantinedPieceDocument>('quarantinedPieces', quarantinedPiece),
    threadLinks: model<ThreadLinkDocument>('threadLinks', threadLink),
    labels: model<LabelDocument>('labels', label),
    aiLabelRules: model<AiLabelRuleDocument>('aiLabelRules', aiLabelRule),
    autoForwardRules: model<AutoForwardRuleDocument>('autoForwardRules', autoForwardRule),
    autoForwardLogs: model<AutoForwardLogDocument>('autoForwardLogs', autoForwardLog),
    backfillJobs: model<BackfillJobDocument>('backfillJobs', backfillJob),
    views: model<ViewDocument>('views', view),
    inboxFilters: model<InboxFilterDocument>('inboxFilters', inboxFilter),
    sends: model<SendDocument>('sends', send),
    sendTurns: model<SendTurnsDocument>('sendTurns', sendTurns),
    mailboxLeases: model<MailboxLeaseDocument>('mailboxLeases', mailboxLease),
    folderSyncs: model<FolderSyncDocument>('folderSyncs', folderSync),
    changes: model<ChangeDocument>('changes', feedChange),
    idempotencyRecords: model<IdempotencyDocument>('idempotencyRecords', idempotency),
    monthFloors: model<MonthFloorDocument>('monthFloors', monthFloor),
    schemaVersions: model<SchemaVersionDocument>('schemaVersions', schemaVersion),
    migrationParts: model<MigrationPartDocument>('migrationParts', migrationPart),
  };
}
