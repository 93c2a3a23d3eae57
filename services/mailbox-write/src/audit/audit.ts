import type { MailboxWriteServiceDefinition } from '@postroom/proto/postroom/v1/mailbox_write';
import type { AuditTable, AuditTarget } from '@postroom/rpc/audited';

const email = (id: string): AuditTarget => ({ kind: 'email', id });
/** One entry for a call, whatever number of emails it is about. Their ids would fill the log. */
const emails = (ids: readonly string[], labelId?: string): AuditTarget => ({
  kind: labelId === undefined ? 'emails' : 'label',
  id: labelId ?? '',
  name: ids.length === 1 ? '1 email' : `${ids.length} emails`,
});

/** Subjects and addresses of mail stay out of the entries, which outlive the mail. */
export const mailboxWriteAudit: AuditTable<MailboxWriteServiceDefinition> = {
  updateEmail: { action: 'email.updated', target: ({ emailId }) => email(emailId) },
  deleteEmail: { action: 'email.trashed', target: ({ emailId }) => email(emailId) },
  applyLabel: { action: 'email.labeled', target: ({ emailId }) => email(emailId) },
  removeLabel: { action: 'email.unlabeled', target: ({ emailId }) => email(emailId) },
  bulkMarkRead: {
    action: 'emails.marked',
    target: ({ emailIds }, done) => emails(done ? [...done.updatedIds, ...done.unchangedIds] : emailIds),
  },
  bulkDelete: { action: 'emails.trashed', target: ({ emailIds }, done) => emails(done?.deletedIds ?? emailIds) },
  bulkApplyLabel: {
    action: 'emails.labeled',
    target: ({ emailIds, labelId }, done) => emails(done?.emailIds ?? emailIds, labelId),
  },
  bulkRemoveLabel: {
    action: 'emails.unlabeled',
    target: ({ emailIds, labelId }, done) => emails(done?.emailIds ?? emailIds, labelId),
  },
  discardDraft: { action: 'email.trashed', target: ({ draftId }) => email(draftId) },
  undoEffect: { action: 'email.effect_undone', target: ({ emailId }) => email(emailId) },
  // Mail that comes in or goes out, and the work of services on it.
  ingest: 'not audited',
  forgetLabel: 'not audited',
  storeOutgoing: 'not audited',
  updateOutgoing: 'not audited',
  keepVerdicts: 'not audited',
  postponeClassification: 'not audited',
  recordClassification: 'not audited',
  restoreBody: 'not audited',
  applyProviderChanges: 'not audited',
  forgetLocations: 'not audited',
  completeProviderChanges: 'not audited',
  finishPass: 'not audited',
};
