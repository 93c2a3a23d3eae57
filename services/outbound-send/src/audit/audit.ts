import type { OutboundSendServiceDefinition } from '@postroom/proto/postroom/v1/outbound_send';
import type { AuditTable } from '@postroom/rpc/audited';

/** Recipients and subjects stay out of the entries, which outlive the mail. */
export const outboundSendAudit: AuditTable<OutboundSendServiceDefinition> = {
  createDraft: { action: 'draft.created', target: (_asked, made) => ({ kind: 'draft', id: made?.draftId ?? '' }) },
  sendEmail: { action: 'email.sent', target: (_asked, sent) => ({ kind: 'email', id: sent?.id ?? '' }) },
  sendDraft: {
    action: 'draft.send_requested',
    target: ({ draftId: id }, done) => ({ kind: 'draft', id, name: done?.status.replaceAll('_', ' ') }),
  },
  decideApproval: {
    action: ({ approve }) => (approve ? 'approval.granted' : 'approval.refused'),
    target: ({ approvalId }, done) => ({ kind: 'draft', id: done?.draftId ?? approvalId }),
  },
  setAgentSending: {
    action: ({ stopped }) => (stopped ? 'agent_sending.stopped' : 'agent_sending.allowed'),
    target: () => ({ kind: 'workspace', id: '' }),
  },
  // The work of rules.
  forwardEmail: 'not audited',
  scheduleReply: 'not audited',
  // It changes nothing that is stored.
  tryLogin: 'not audited',
};
