import type { Ids } from './populated.ts';

const INVOICES = { name: 'Invoices', color: 'Red', condition: 'an invoice' };

/** Bodies that each call takes, in every form it has; the first will do where one is enough. */
export function goodBodies(ids: Ids): Record<string, [object, ...object[]]> {
  const { mailboxId, emailId, labelId, messageId, signatureId } = ids;
  const emailIds = [emailId];
  const letter = {
    mailboxId,
    to: [{ email: 'a@b.example' }],
    body: { text: 'Hi' },
    inReplyTo: messageId,
    references: [messageId],
    signature: signatureId,
  };
  const { inReplyTo: _answered, references: _before, signature: _signed, ...plain } = letter;
  const filters = { id: 'a', label: 'label', type: 'contains', value: labelId };
  return {
    updateEmail: [{ isRead: true }],
    bulkEmails: [
      { action: 'delete', emailIds },
      { action: 'markRead', emailIds, isRead: true },
      { action: 'applyLabel', emailIds, labelId },
      { action: 'removeLabel', emailIds, labelId },
    ],
    createLabel: [{ name: 'A', color: 'Red' }],
    updateLabel: [{ color: 'Red' }],
    createDraft: [plain, letter],
    sendEmail: [plain, letter],
    createView: [{ name: 'V' }, { name: 'V', filters }],
    updateView: [{ name: 'V' }, { filters }],
    createFilter: [
      { type: 'subject', value: 'a' },
      { type: 'label', value: labelId },
    ],
    updateFilter: [{ type: 'label', value: labelId }, { value: 'a' }],
    createAiLabelRule: [INVOICES],
    updateAiLabelRule: [{ condition: 'a' }],
    backfillAiLabels: [{ mailboxId }],
    createAutoForwardRule: [{ conditionValue: 'a', forwardTo: 'a@b.example' }],
    updateAutoForwardRule: [{ isActive: false }],
    createWebhook: [{ url: 'https://hooks.example.com/' }],
    updateWebhook: [{ description: 'a' }],
    recoverDeliveries: [{ since: '2026-01-01T00:00:00Z' }],
  };
}
