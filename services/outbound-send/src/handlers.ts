import type {
  OutboundSendOperatorServiceDefinition,
  OutboundSendServiceDefinition,
} from '@postroom/proto/postroom/v1/outbound_send';
import type { Handlers } from '@postroom/rpc/definition';
import { agentHandlers, agentOperatorHandlers } from './agents/agents.ts';
import { approvalHandlers, approvalOperatorHandlers } from './approvals/approvals.ts';
import type { Deps } from './deps.ts';
import { draftSendHandlers } from './draft-sends/draft-sends.ts';
import { draftHandlers } from './drafts/drafts.ts';
import { forwardHandlers } from './forwards/forwards.ts';
import { replyHandlers } from './replies/replies.ts';
import { sendHandlers } from './sends/sends.ts';
import { trySmtpLoginHandlers } from './servers/try-login.ts';
import { sendResolutionHandlers } from './resolution/send-resolution.ts';

export function createHandlers(deps: Deps): Handlers<OutboundSendServiceDefinition> {
  return {
    ...draftHandlers(deps),
    ...sendHandlers(deps),
    ...draftSendHandlers(deps),
    ...approvalHandlers(deps),
    ...agentHandlers(deps),
    ...replyHandlers(deps),
    ...forwardHandlers(deps),
    ...trySmtpLoginHandlers(deps),
  };
}

/** The calls of operators, on the admin API. */
export function createOperatorHandlers(deps: Deps): Handlers<OutboundSendOperatorServiceDefinition> {
  return { ...sendResolutionHandlers(deps), ...approvalOperatorHandlers(deps), ...agentOperatorHandlers(deps) };
}
