import type { Connection, Model } from 'mongoose';
import { lazyRecord } from './lazy-record.ts';
import { auditEntrySchema } from './documents/audit.ts';
import { countedAttemptsSchema } from './documents/counted-attempts.ts';
import { backfillJobSchema } from './documents/backfill.ts';
import { changeSchema } from './documents/change.ts';
import { deadLetterSchema } from './documents/dead-letter.ts';
import { classificationSchema } from './documents/classification.ts';
import {
  bodySchema,
  emailSchema,
  originalPieceSchema,
  pendingCopySchema,
  removedEmailSchema,
  quarantinedMessageSchema,
  quarantinedPieceSchema,
  threadLinkSchema,
} from './documents/email.ts';
import { idempotencySchema, migrationPartSchema, monthFloorSchema, schemaVersionSchema } from './documents/gateway.ts';
import {
  grantSchema,
  invitationSchema,
  oidcAccountSchema,
  oidcSignInSchema,
  passkeyChallengeSchema,
  passkeySchema,
  oauthRecordSchema,
  personSchema,
  sessionSchema,
  signInAttemptsSchema,
  signInLinkSchema,
  workspaceMembersSchema,
} from './documents/identity.ts';
import { aiLabelRuleSchema, autoForwardLogSchema, autoForwardRuleSchema, labelSchema } from './documents/label.ts';
import { mailboxConsentSchema, mailboxSchema } from './documents/mailbox.ts';
import { agentSendCountSchema, agentStopSchema, sendSchema, sendPermitsSchema } from './documents/send.ts';
import { folderSyncSchema, mailboxLeaseSchema } from './documents/sync.ts';
import { inboxFilterSchema, viewSchema } from './documents/view-filter.ts';
import { dayCountsSchema, keyUseSchema, limitReadingSchema } from './documents/usage.ts';
import { delivererSchema, deliverySchema, webhookSchema } from './documents/webhook.ts';
import { apiKeySchema, signatureSchema, workspaceSchema } from './documents/workspace.ts';
import { conditionPatternSchema } from './documents/pattern.ts';
import type { StoredSchema, TypeOf } from './schemas/schema.ts';
import { storedName } from './stored-names.ts';

const collection = <const W extends string, T>(writer: W, schema: StoredSchema<T>) => ({ writer, schema });

/** Each its own documents, through one store: the two exceptions from one writer for a collection. */
const EACH_SERVICE = 'each service';

/** Every collection with the one service that writes it; others may read. */
const declared = {
  workspaces: collection('workspace', workspaceSchema),
  apiKeys: collection('workspace', apiKeySchema),
  mailboxes: collection('workspace', mailboxSchema),
  mailboxConsents: collection('workspace', mailboxConsentSchema),
  signatures: collection('workspace', signatureSchema),
  emails: collection('mailbox-write', emailSchema),
  bodies: collection('mailbox-write', bodySchema),
  pendingCopies: collection('mailbox-write', pendingCopySchema),
  originalPieces: collection('mailbox-write', originalPieceSchema),
  removedEmails: collection('mailbox-write', removedEmailSchema),
  classifications: collection('mailbox-write', classificationSchema),
  quarantinedMessages: collection('mailbox-write', quarantinedMessageSchema),
  quarantinedPieces: collection('mailbox-write', quarantinedPieceSchema),
  threadLinks: collection('mailbox-write', threadLinkSchema),
  ingestAttempts: collection('mailbox-write', countedAttemptsSchema),
  labels: collection('label-rule', labelSchema),
  aiLabelRules: collection('label-rule', aiLabelRuleSchema),
  autoForwardRules: collection('label-rule', autoForwardRuleSchema),
  autoForwardLogs: collection('label-rule', autoForwardLogSchema),
  backfillJobs: collection('label-rule', backfillJobSchema),
  forwardAttempts: collection('forwarder', countedAttemptsSchema),
  views: collection('view-filter', viewSchema),
  inboxFilters: collection('view-filter', inboxFilterSchema),
  sends: collection('outbound-send', sendSchema),
  sendPermits: collection('outbound-send', sendPermitsSchema),
  agentSendCounts: collection('outbound-send', agentSendCountSchema),
  agentStops: collection('outbound-send', agentStopSchema),
  mailboxLeases: collection('mailbox-sync', mailboxLeaseSchema),
  folderSyncs: collection('mailbox-sync', folderSyncSchema),
  changes: collection('changes', changeSchema),
  people: collection('identity', personSchema),
  workspaceMembers: collection('identity', workspaceMembersSchema),
  invitations: collection('identity', invitationSchema),
  signInLinks: collection('identity', signInLinkSchema),
  sessions: collection('identity', sessionSchema),
  signInAttempts: collection('identity', signInAttemptsSchema),
  passkeys: collection('identity', passkeySchema),
  passkeyChallenges: collection('identity', passkeyChallengeSchema),
  oidcSignIns: collection('identity', oidcSignInSchema),
  oidcAccounts: collection('identity', oidcAccountSchema),
  grants: collection('identity', grantSchema),
  oauthRecords: collection('identity', oauthRecordSchema),
  webhooks: collection('webhook-delivery', webhookSchema),
  deliveries: collection('webhook-delivery', deliverySchema),
  deliverers: collection('webhook-delivery', delivererSchema),
  idempotencyRecords: collection('gateway', idempotencySchema),
  monthFloors: collection('gateway', monthFloorSchema),
  callCounts: collection('gateway', dayCountsSchema),
  keyUses: collection('gateway', keyUseSchema),
  limitReadings: collection('gateway', limitReadingSchema),
  conditionPatterns: collection('classifier', conditionPatternSchema),
  modelCounts: collection('classifier', dayCountsSchema),
  auditEntries: collection(EACH_SERVICE, auditEntrySchema),
  deadLetters: collection(EACH_SERVICE, deadLetterSchema),
  schemaVersions: collection('migrate', schemaVersionSchema),
  migrationParts: collection('migrate', migrationPartSchema),
};

export type CollectionName = keyof typeof declared;

/** The collections that a service writes. */
export type WrittenBy<W> = {
  [N in CollectionName]: (typeof declared)[N]['writer'] extends W | typeof EACH_SERVICE ? N : never;
}[CollectionName];

/** The models of one connection; a service opens them once and hands them to its stores. */
export type Collections = {
  [N in CollectionName]: Model<TypeOf<(typeof declared)[N]['schema']>>;
};

export const collectionNames = Object.keys(declared) as CollectionName[];

export const isWrittenBy = (name: CollectionName, service: string): boolean =>
  writerOf(name) === service || writerOf(name) === EACH_SERVICE;

export const writerOf = (name: CollectionName): string => declared[name].writer;

/** A service uses a few of them, so mongoose builds a model when it is first asked for. */
export function openCollections(connection: Connection): Collections {
  // "never" and the types written out: the compiler would compare all that mongoose can do otherwise, for seconds.
  const model = (name: CollectionName) =>
    connection.model<unknown, Model<unknown>>(name, declared[name].schema as never, storedName(name));
  return lazyRecord(collectionNames, model) as unknown as Collections;
}
