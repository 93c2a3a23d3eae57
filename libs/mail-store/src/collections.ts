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
import type { CountedAttemptsDocument } from './documents/counted-attempts.ts';
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
  InvitationDocument,
  PersonDocument,
  SessionDocument,
  SignInAttemptsDocument,
  SignInLinkDocument,
  WorkspaceMembersDocument,
} from './documents/identity.ts';
import type {
  AiLabelRuleDocument,
  AutoForwardLogDocument,
  AutoForwardRuleDocument,
  LabelDocument,
} from './documents/label.ts';
import type { MailboxDocument } from './documents/mailbox.ts';
import type { AgentSendCountDocument, AgentStopDocument, SendDocument, SendPermitsDocument } from './documents/send.ts';
import type { FolderSyncDocument, MailboxLeaseDocument } from './documents/sync.ts';
import type { InboxFilterDocument, ViewDocument } from './documents/view-filter.ts';
import type { DayCountsDocument, KeyUseDocument, LimitReadingDocument } from './documents/usage.ts';
import type { DelivererDocument, DeliveryDocument, WebhookDocument } from './documents/webhook.ts';
import type { ApiKeyDocument, SignatureDocument, WorkspaceDocument } from './documents/workspace.ts';
import { storedName } from './stored-names.ts';
import { countedAttemptsSchema } from './schemas/counted-attempts.ts';
import { backfillJobSchema } from './schemas/backfill.ts';
import { changeSchema } from './schemas/change.ts';
import { classificationSchema } from './schemas/classification.ts';
import {
  bodySchema,
  emailSchema,
  originalPieceSchema,
  pendingCopySchema,
  removedEmailSchema,
  quarantinedMessageSchema,
  quarantinedPieceSchema,
  threadLinkSchema,
} from './schemas/email.ts';
import { idempotencySchema, migrationPartSchema, monthFloorSchema, schemaVersionSchema } from './schemas/gateway.ts';
import {
  invitationSchema,
  personSchema,
  sessionSchema,
  signInAttemptsSchema,
  signInLinkSchema,
  workspaceMembersSchema,
} from './schemas/identity.ts';
import { aiLabelRuleSchema, autoForwardLogSchema, autoForwardRuleSchema, labelSchema } from './schemas/label.ts';
import { mailboxSchema } from './schemas/mailbox.ts';
import { agentSendCountSchema, agentStopSchema, sendSchema, sendPermitsSchema } from './schemas/send.ts';
import { folderSyncSchema, mailboxLeaseSchema } from './schemas/sync.ts';
import { inboxFilterSchema, viewSchema } from './schemas/view-filter.ts';
import { dayCountsSchema, keyUseSchema, limitReadingSchema } from './schemas/usage.ts';
import { delivererSchema, deliverySchema, webhookSchema } from './schemas/webhook.ts';
import { apiKeySchema, signatureSchema, workspaceSchema } from './schemas/workspace.ts';

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
  ingestAttempts: 'mailbox-write',
  labels: 'label-rule',
  aiLabelRules: 'label-rule',
  autoForwardRules: 'label-rule',
  autoForwardLogs: 'label-rule',
  backfillJobs: 'label-rule',
  forwardAttempts: 'forwarder',
  views: 'view-filter',
  inboxFilters: 'view-filter',
  sends: 'outbound-send',
  sendPermits: 'outbound-send',
  agentSendCounts: 'outbound-send',
  agentStops: 'outbound-send',
  mailboxLeases: 'mailbox-sync',
  folderSyncs: 'mailbox-sync',
  changes: 'changes',
  people: 'identity',
  workspaceMembers: 'identity',
  invitations: 'identity',
  signInLinks: 'identity',
  sessions: 'identity',
  signInAttempts: 'identity',
  webhooks: 'webhook-delivery',
  deliveries: 'webhook-delivery',
  deliverers: 'webhook-delivery',
  idempotencyRecords: 'gateway',
  monthFloors: 'gateway',
  callCounts: 'gateway',
  keyUses: 'gateway',
  limitReadings: 'gateway',
  modelCounts: 'classifier',
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
  ingestAttempts: Model<CountedAttemptsDocument>;
  labels: Model<LabelDocument>;
  aiLabelRules: Model<AiLabelRuleDocument>;
  autoForwardRules: Model<AutoForwardRuleDocument>;
  autoForwardLogs: Model<AutoForwardLogDocument>;
  backfillJobs: Model<BackfillJobDocument>;
  forwardAttempts: Model<CountedAttemptsDocument>;
  views: Model<ViewDocument>;
  inboxFilters: Model<InboxFilterDocument>;
  sends: Model<SendDocument>;
  sendPermits: Model<SendPermitsDocument>;
  agentSendCounts: Model<AgentSendCountDocument>;
  agentStops: Model<AgentStopDocument>;
  mailboxLeases: Model<MailboxLeaseDocument>;
  folderSyncs: Model<FolderSyncDocument>;
  changes: Model<ChangeDocument>;
  people: Model<PersonDocument>;
  workspaceMembers: Model<WorkspaceMembersDocument>;
  invitations: Model<InvitationDocument>;
  signInLinks: Model<SignInLinkDocument>;
  sessions: Model<SessionDocument>;
  signInAttempts: Model<SignInAttemptsDocument>;
  webhooks: Model<WebhookDocument>;
  deliveries: Model<DeliveryDocument>;
  deliverers: Model<DelivererDocument>;
  idempotencyRecords: Model<IdempotencyDocument>;
  monthFloors: Model<MonthFloorDocument>;
  callCounts: Model<DayCountsDocument>;
  keyUses: Model<KeyUseDocument>;
  limitReadings: Model<LimitReadingDocument>;
  modelCounts: Model<DayCountsDocument>;
  schemaVersions: Model<SchemaVersionDocument>;
  migrationParts: Model<MigrationPartDocument>;
}

export function openCollections(connection: Connection): Collections {
  // "never" and the types written out: the compiler would compare all that mongoose can do otherwise, for seconds.
  const model = <T>(name: CollectionName, schema: object) =>
    connection.model<unknown, Model<T>>(name, schema as never, storedName(name));
  return {
    workspaces: model<WorkspaceDocument>('workspaces', workspaceSchema),
    apiKeys: model<ApiKeyDocument>('apiKeys', apiKeySchema),
    mailboxes: model<MailboxDocument>('mailboxes', mailboxSchema),
    signatures: model<SignatureDocument>('signatures', signatureSchema),
    emails: model<EmailDocument>('emails', emailSchema),
    bodies: model<BodyDocument>('bodies', bodySchema),
    pendingCopies: model<PendingCopyDocument>('pendingCopies', pendingCopySchema),
    originalPieces: model<OriginalPieceDocument>('originalPieces', originalPieceSchema),
    removedEmails: model<RemovedEmailDocument>('removedEmails', removedEmailSchema),
    classifications: model<ClassificationDocument>('classifications', classificationSchema),
    quarantinedMessages: model<QuarantinedMessageDocument>('quarantinedMessages', quarantinedMessageSchema),
    quarantinedPieces: model<QuarantinedPieceDocument>('quarantinedPieces', quarantinedPieceSchema),
    threadLinks: model<ThreadLinkDocument>('threadLinks', threadLinkSchema),
    ingestAttempts: model<CountedAttemptsDocument>('ingestAttempts', countedAttemptsSchema),
    labels: model<LabelDocument>('labels', labelSchema),
    aiLabelRules: model<AiLabelRuleDocument>('aiLabelRules', aiLabelRuleSchema),
    autoForwardRules: model<AutoForwardRuleDocument>('autoForwardRules', autoForwardRuleSchema),
    autoForwardLogs: model<AutoForwardLogDocument>('autoForwardLogs', autoForwardLogSchema),
    backfillJobs: model<BackfillJobDocument>('backfillJobs', backfillJobSchema),
    forwardAttempts: model<CountedAttemptsDocument>('forwardAttempts', countedAttemptsSchema),
    views: model<ViewDocument>('views', viewSchema),
    inboxFilters: model<InboxFilterDocument>('inboxFilters', inboxFilterSchema),
    sends: model<SendDocument>('sends', sendSchema),
    sendPermits: model<SendPermitsDocument>('sendPermits', sendPermitsSchema),
    agentSendCounts: model<AgentSendCountDocument>('agentSendCounts', agentSendCountSchema),
    agentStops: model<AgentStopDocument>('agentStops', agentStopSchema),
    mailboxLeases: model<MailboxLeaseDocument>('mailboxLeases', mailboxLeaseSchema),
    folderSyncs: model<FolderSyncDocument>('folderSyncs', folderSyncSchema),
    changes: model<ChangeDocument>('changes', changeSchema),
    people: model<PersonDocument>('people', personSchema),
    workspaceMembers: model<WorkspaceMembersDocument>('workspaceMembers', workspaceMembersSchema),
    invitations: model<InvitationDocument>('invitations', invitationSchema),
    signInLinks: model<SignInLinkDocument>('signInLinks', signInLinkSchema),
    sessions: model<SessionDocument>('sessions', sessionSchema),
    signInAttempts: model<SignInAttemptsDocument>('signInAttempts', signInAttemptsSchema),
    webhooks: model<WebhookDocument>('webhooks', webhookSchema),
    deliveries: model<DeliveryDocument>('deliveries', deliverySchema),
    deliverers: model<DelivererDocument>('deliverers', delivererSchema),
    idempotencyRecords: model<IdempotencyDocument>('idempotencyRecords', idempotencySchema),
    monthFloors: model<MonthFloorDocument>('monthFloors', monthFloorSchema),
    callCounts: model<DayCountsDocument>('callCounts', dayCountsSchema),
    keyUses: model<KeyUseDocument>('keyUses', keyUseSchema),
    limitReadings: model<LimitReadingDocument>('limitReadings', limitReadingSchema),
    modelCounts: model<DayCountsDocument>('modelCounts', dayCountsSchema),
    schemaVersions: model<SchemaVersionDocument>('schemaVersions', schemaVersionSchema),
    migrationParts: model<MigrationPartDocument>('migrationParts', migrationPartSchema),
  };
}
