import type {
  AgentSending,
  DecideApprovalRequest,
  DecideApprovalResponse,
  OutboundSendOperatorServiceDefinition,
  OutboundSendServiceDefinition,
  SetAgentSendingRequest,
} from '@postroom/proto/postroom/v1/outbound_send';
import type { AuditedMethod, AuditTable } from '@postroom/rpc/audited';

const decision: AuditedMethod<DecideApprovalRequest, DecideApprovalResponse> = {
  action: ({ approve }) => (approve ? 'approval.granted' : 'approval.refused'),
  target: ({ approvalId }, done) => ({ kind: 'draft', id: done?.draftId ?? approvalId }),
};

const agentSwitch: AuditedMethod<SetAgentSendingRequest, AgentSending> = {
  action: ({ stopped }) => (stopped ? 'agent_sending.stopped' : 'agent_sending.allowed'),
  target: () => ({ kind: 'workspace', id: '' }),
};

/** Recipients and subjects stay out of the entries, which outlive the mail. */
export const outboundSendAudit: AuditTable<OutboundSendServiceDefinition> = {
  createDraft: { action: 'draft.created', target: (_asked, made) => ({ kind: 'draft', id: made?.draftId ?? '' }) },
  sendEmail: { action: 'email.sent', target: (_asked, sent) => ({ kind: 'email', id: sent?.id ?? '' }) },
  sendDraft: {
    action: 'draft.send_requested',
    target: ({ draftId: id }, done) => ({ kind: 'draft', id, name: done?.status.replaceAll('_', ' ') }),
  },
  decideApproval: decision,
  stopReply: { action: 'reply.canceled', target: ({ draftId: id }) => ({ kind: 'draft', id }) },
  sendOwnDraft: { action: 'draft.sent', target: ({ draftId: id }) => ({ kind: 'draft', id }) },
  replaceDraft: {
    action: 'draft.edited',
    target: ({ draftId }, made) => ({ kind: 'draft', id: made?.draftId ?? draftId }),
  },
  undoForward: { action: 'email.effect_undone', target: ({ emailId: id }) => ({ kind: 'email', id }) },
  setAgentSending: agentSwitch,
  // The work of rules.
  forwardEmail: 'not audited',
  scheduleReply: 'not audited',
  // It changes nothing that is stored.
  tryLogin: 'not audited',
};

export const outboundSendOperatorAudit: AuditTable<OutboundSendOperatorServiceDefinition> = {
  resolveSend: {
    action: ({ isSent }) => (isSent ? 'send.resolved_as_sent' : 'send.resolved_as_failed'),
    target: ({ id }) => ({ kind: 'send', id }),
  },
  decideWaitingSend: decision,
  switchAgentSending: agentSwitch,
};
