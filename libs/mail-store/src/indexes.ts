import type { CollectionName } from './collections.ts';

export interface IndexSpec {
  name: string;
  key: Record<string, 1 | -1>;
  unique?: true;
  /** Only these documents are in the index. */
  only?: Record<string, unknown>;
  /** Cleans up after this field's time: readers check the time themselves. */
  expires?: true;
}

/** For every collection whose documents hold unpublished events. */
const outbox: IndexSpec = {
  name: 'outbox',
  key: { owedSince: 1, owedOrder: 1, _id: 1 },
  only: { owedSince: { $gt: new Date(0) } },
};

/** For every collection whose documents are not kept for ever. */
const expiry: IndexSpec = { name: 'expiry', key: { expiresAt: 1 }, expires: true };

/** For every collection of counts by day. */
const byDay: IndexSpec = { name: 'workspace_day', key: { workspaceId: 1, day: 1, subject: 1 } };

/** The order of every list of emails. */
export const NEWEST_FIRST = { date: -1, _id: -1 } as const;

/** A page by date of the emails that have one thing in common: equality first, then the order, then its tie-break. */
const pageBy = (name: string, ...fields: string[]): IndexSpec => ({
  name,
  key: { workspaceId: 1, ...Object.fromEntries(fields.map((field) => [field, 1 as const])), ...NEWEST_FIRST },
});

/** The few emails of which something holds; the query must say the same to use it. */
const pageOfFew = (name: string, only: Record<string, unknown>): IndexSpec => ({
  name,
  key: { workspaceId: 1, ...NEWEST_FIRST },
  only,
});

/** A page by time of the entries that have one thing in common. */
const auditBy = (name: string, field?: string): IndexSpec => ({
  name,
  key: { workspaceId: 1, ...(field && { [field]: 1 as const }), at: -1, _id: -1 },
});

/** The indexes of every collection: what a database of this version has, and what a migration brings it to. */
export const indexes: Readonly<Record<CollectionName, readonly IndexSpec[]>> = {
  workspaces: [],
  apiKeys: [
    { name: 'key_hash', key: { secretHash: 1 }, unique: true },
    { name: 'workspace_created', key: { workspaceId: 1, createdAt: 1, _id: 1 } },
    { name: 'workspace_slot', key: { workspaceId: 1, slot: 1 }, unique: true },
  ],
  mailboxes: [
    { name: 'workspace_email', key: { workspaceId: 1, emailKey: 1 }, unique: true },
    { name: 'recipient', key: { recipientKeys: 1 } },
    outbox,
  ],
  mailboxConsents: [{ name: 'session', key: { workspaceId: 1, sessionId: 1 } }, expiry],
  signatures: [{ name: 'workspace_position', key: { workspaceId: 1, position: 1, _id: 1 } }],
  emails: [
    { name: 'source', key: { workspaceId: 1, mailboxId: 1, sourceKey: 1 }, unique: true },
    { name: 'message', key: { workspaceId: 1, mailboxId: 1, messageKey: 1 }, unique: true },
    { name: 'message_id', key: { workspaceId: 1, mailboxId: 1, messageId: 1 } },
    { name: 'thread', key: { workspaceId: 1, mailboxId: 1, threadId: 1, ...NEWEST_FIRST } },
    pageBy('all'),
    pageBy('folder', 'folderType'),
    pageBy('mailbox', 'mailboxId'),
    pageBy('mailbox_folder', 'mailboxId', 'folderType'),
    pageBy('label', 'labelIds'),
    pageBy('words', 'words'),
    pageBy('sender', 'senderAddress'),
    pageBy('sender_domain', 'senderDomain'),
    pageOfFew('unread', { isRead: false }),
    pageOfFew('starred', { isStarred: true }),
    pageOfFew('drafts', { isDraft: true }),
    pageOfFew('attachments', { hasAttachments: true }),
    pageOfFew('waiting', { waitingForReply: true }),
    pageOfFew('auto_reply', { isAutoReply: true }),
    pageOfFew('auto_forward', { isAutoForward: true }),
    { name: 'effects', key: { 'labelEffects.at': 1 }, only: { 'labelEffects.at': { $gt: new Date(0) } } },
    { name: 'unsettled', key: { isUnsettled: 1, receivedAt: 1, _id: 1 }, only: { isUnsettled: true } },
    outbox,
    {
      name: 'provider_changes',
      key: { workspaceId: 1, mailboxId: 1, providerChangesSince: 1, _id: 1 },
      only: { providerChangesSince: { $gt: new Date(0) } },
    },
    // Finds the newest pending changes of all mailboxes, so that no process polls each mailbox every second.
    {
      name: 'newly_owed',
      key: { providerChangesSince: 1 },
      only: { providerChangesSince: { $gt: new Date(0) } },
    },
    {
      name: 'identity',
      key: { workspaceId: 1, mailboxId: 1, identity: 1 },
      only: { identity: { $gt: '' } },
    },
    {
      name: 'operation',
      key: { workspaceId: 1, mailboxId: 1, operation: 1 },
      only: { operation: { $gt: '' } },
    },
    {
      name: 'written_to',
      key: { workspaceId: 1, mailboxId: 1, writtenTo: 1, isAutoReply: 1 },
      only: { writtenTo: { $gt: '' } },
    },
    {
      name: 'place',
      key: { workspaceId: 1, mailboxId: 1, 'place.folderId': 1, 'place.uidValidity': 1, 'place.uid': 1 },
      only: { 'place.uid': { $gt: 0 } },
    },
    { name: 'gone', key: { workspaceId: 1, mailboxId: 1, 'gone.round': 1 }, only: { 'gone.round': { $gt: -1 } } },
    {
      name: 'awaits_classification',
      key: { awaitsClassificationSince: 1, _id: 1 },
      only: { awaitsClassificationSince: { $gt: new Date(0) } },
    },
    {
      name: 'awaits_in_thread',
      key: {
        workspaceId: 1,
        mailboxId: 1,
        threadId: 1,
        awaitsClassificationSince: 1,
        'classification.order': 1,
        _id: 1,
      },
      only: { awaitsClassificationSince: { $gt: new Date(0) } },
    },
    {
      name: 'classification_due',
      key: { workspaceId: 1, 'classification.notBefore': 1, awaitsClassificationSince: 1 },
      only: { awaitsClassificationSince: { $gt: new Date(0) } },
    },
    {
      name: 'quarantined',
      key: { workspaceId: 1, 'classification.quarantinedAt': 1 },
      only: { 'classification.quarantinedAt': { $gt: new Date(0) } },
    },
  ],
  bodies: [
    {
      name: 'evictable',
      key: { evictableSince: 1, _id: 1 },
      only: { evictableSince: { $gt: new Date(0) } },
    },
  ],
  pendingCopies: [expiry],
  originalPieces: [{ name: 'piece', key: { workspaceId: 1, emailId: 1, position: 1 } }, expiry],
  removedEmails: [outbox, expiry],
  classifications: [
    { name: 'workspace_created', key: { workspaceId: 1, createdAt: 1, _id: 1 } },
    { name: 'rule', key: { workspaceId: 1, 'verdicts.ruleId': 1, createdAt: -1, _id: -1 } },
    expiry,
  ],
  quarantinedMessages: [
    { name: 'source', key: { workspaceId: 1, mailboxId: 1, sourceKey: 1 }, unique: true },
    { name: 'workspace_created', key: { workspaceId: 1, createdAt: -1, _id: -1 } },
    expiry,
  ],
  quarantinedPieces: [{ name: 'piece', key: { workspaceId: 1, setAsideId: 1, position: 1 }, unique: true }, expiry],
  threadLinks: [
    { name: 'message', key: { workspaceId: 1, mailboxId: 1, messageId: 1 }, unique: true },
    { name: 'thread', key: { workspaceId: 1, mailboxId: 1, threadId: 1 } },
    { name: 'answers', key: { workspaceId: 1, mailboxId: 1, answers: 1 } },
  ],
  labels: [
    { name: 'workspace_name', key: { workspaceId: 1, nameKey: 1 }, unique: true },
    { name: 'workspace_created', key: { workspaceId: 1, createdAt: 1, _id: 1 } },
    { name: 'forgetting', key: { deletedAt: 1 }, only: { deletedAt: { $gt: new Date(0) } } },
  ],
  aiLabelRules: [
    { name: 'workspace_created', key: { workspaceId: 1, createdAt: 1, _id: 1 } },
    { name: 'workspace_label', key: { workspaceId: 1, labelId: 1 }, unique: true },
  ],
  conditionPatterns: [{ name: 'rule', key: { workspaceId: 1, ruleId: 1, version: 1, updatedAt: -1 } }, expiry],
  autoForwardRules: [{ name: 'workspace_created', key: { workspaceId: 1, createdAt: 1, _id: 1 } }],
  autoForwardLogs: [{ name: 'rule_created', key: { workspaceId: 1, ruleId: 1, createdAt: -1, _id: -1 } }, expiry],
  backfillJobs: [
    { name: 'workspace_created', key: { workspaceId: 1, createdAt: -1, _id: -1 } },
    { name: 'queued', key: { workspaceId: 1, mailboxId: 1 }, only: { state: 'queued' } },
    { name: 'state', key: { state: 1, workspaceId: 1, createdAt: 1 } },
    outbox,
    expiry,
  ],
  views: [{ name: 'workspace_created', key: { workspaceId: 1, createdAt: 1, _id: 1 } }],
  inboxFilters: [
    { name: 'workspace_created', key: { workspaceId: 1, createdAt: 1, _id: 1 } },
    { name: 'workspace_value', key: { workspaceId: 1, type: 1, valueKey: 1 }, unique: true },
  ],
  sends: [
    // The index alone excludes mailboxes and workspaces without a permit, and finds sends that need none, even when many are due.
    {
      name: 'due',
      key: { nextAt: 1, workspaceId: 1, mailboxId: 1, kind: 1, state: 1 },
      only: { nextAt: { $gt: new Date(0) } },
    },
    { name: 'state', key: { workspaceId: 1, state: 1, createdAt: -1 } },
    { name: 'message', key: { workspaceId: 1, messageId: 1 } },
    { name: 'kind_created', key: { workspaceId: 1, kind: 1, createdAt: 1, _id: 1 } },
    { name: 'mailbox_created', key: { workspaceId: 1, mailboxId: 1, kind: 1, createdAt: 1, _id: 1 } },
    { name: 'forward_slot', key: { workspaceId: 1, scheduledSendAt: 1, ruleId: 1 }, only: { kind: 'forward' } },
    {
      name: 'source',
      key: { workspaceId: 1, sourceEmailId: 1, createdAt: 1 },
      only: { sourceEmailId: { $gt: '' } },
    },
    {
      name: 'correspondent',
      key: { workspaceId: 1, mailboxId: 1, correspondent: 1, scheduledSendAt: 1 },
      only: { correspondent: { $gt: '' } },
    },
    expiry,
  ],
  sendPermits: [expiry],
  agentSendCounts: [expiry],
  agentStops: [],
  ingestAttempts: [expiry],
  forwardAttempts: [expiry],
  mailboxLeases: [
    { name: 'free', key: { until: 1 } },
    { name: 'owner', key: { owner: 1 } },
  ],
  folderSyncs: [{ name: 'mailbox', key: { workspaceId: 1, mailboxId: 1 } }],
  changes: [
    { name: 'seq', key: { workspaceId: 1, seq: 1 }, unique: true },
    { name: 'aspect', key: { workspaceId: 1, aspects: 1, seq: -1 } },
    // The oldest of every workspace, for trimming.
    {
      name: 'appended',
      key: { appendedAt: 1, workspaceId: 1, seq: 1 },
      only: { appendedAt: { $gt: new Date(0) } },
    },
  ],
  people: [{ name: 'email', key: { emailKey: 1 }, unique: true }],
  workspaceMembers: [{ name: 'person', key: { personIds: 1 } }],
  invitations: [
    { name: 'secret', key: { secretHash: 1 }, unique: true },
    { name: 'workspace_created', key: { workspaceId: 1, createdAt: 1, _id: 1 } },
    { name: 'email_created', key: { emailKey: 1, createdAt: 1 } },
    expiry,
  ],
  signInLinks: [expiry],
  sessions: [{ name: 'person', key: { personId: 1, createdAt: 1 } }, expiry],
  signInAttempts: [expiry],
  passkeys: [{ name: 'person', key: { personId: 1, createdAt: 1 } }],
  passkeyChallenges: [expiry],
  oidcSignIns: [expiry],
  oidcAccounts: [{ name: 'person_issuer', key: { personId: 1, issuer: 1 }, unique: true }],
  grants: [{ name: 'workspace', key: { workspaceId: 1, personId: 1, createdAt: 1 } }, expiry],
  oauthRecords: [{ name: 'grant', key: { grantId: 1 }, only: { grantId: { $gt: '' } } }, expiry],
  webhooks: [
    { name: 'workspace_created', key: { workspaceId: 1, createdAt: 1, _id: 1 } },
    { name: 'touched', key: { touchedAt: 1 } },
    { name: 'sealed_under', key: { 'secret.keyId': 1, _id: 1 } },
  ],
  deliveries: [
    { name: 'webhook_created', key: { workspaceId: 1, webhookId: 1, createdAt: -1, _id: -1 } },
    { name: 'webhook_status', key: { workspaceId: 1, webhookId: 1, status: 1, createdAt: -1, _id: -1 } },
    {
      name: 'due',
      key: { workspaceId: 1, webhookId: 1, nextAttemptAt: 1, seq: 1 },
      only: { nextAttemptAt: { $gt: new Date(0) } },
    },
    {
      name: 'replay',
      key: { workspaceId: 1, webhookId: 1, replayAt: 1 },
      only: { replayAt: { $gt: new Date(0) } },
    },
    expiry,
  ],
  deliverers: [expiry],
  idempotencyRecords: [expiry],
  monthFloors: [{ name: 'workspace_month', key: { workspaceId: 1, monthEnds: 1, used: -1 } }, expiry],
  callCounts: [byDay, expiry],
  keyUses: [{ name: 'workspace', key: { workspaceId: 1 } }],
  limitReadings: [],
  modelCounts: [byDay, expiry],
  auditEntries: [
    auditBy('all'),
    auditBy('actor', 'actor.id'),
    auditBy('actions', 'actions'),
    auditBy('target', 'target.id'),
    expiry,
  ],
  deadLetters: [
    { name: 'topic', key: { topic: 1, givenUpAt: 1, _id: 1 } },
    { name: 'workspace', key: { workspaceId: 1, givenUpAt: 1 } },
    expiry,
  ],
  schemaVersions: [],
  migrationParts: [],
};
