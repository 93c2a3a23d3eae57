import { AUTO_FORWARD_MODES, AUTO_FORWARD_STATUSES, isOneOf, mustBeOneOf } from '@postroom/contract/lists';
import { ApiError } from '@postroom/errors/api-error';
import { refuse } from '@postroom/errors/refuse';
import { autoForwardLogId } from '@postroom/mail-store/auto-forward-log-id';
import type { AutoForwardLogDocument } from '@postroom/mail-store/documents/label';
import type { AutoForwardLog } from '@postroom/proto/postroom/v1/resources';
import type { LabelRuleServiceDefinition } from '@postroom/proto/postroom/v1/label_rule';
import type { Handlers } from '@postroom/rpc/definition';
import type { ServiceContext } from '@postroom/runtime/service';
import type { AutoForwardLogStore } from './auto-forward-log-store.ts';
import type { AutoForwardStore } from './auto-forward-store.ts';

const KEPT_MS = 90 * 24 * 3_600_000;

export interface AutoForwardLogDeps {
  context: Pick<ServiceContext, 'clock'>;
  autoForwards: Pick<AutoForwardStore, 'find'>;
  autoForwardLogs: AutoForwardLogStore;
}

export function autoForwardLogHandlers({ autoForwards, autoForwardLogs, context: { clock } }: AutoForwardLogDeps) {
  return {
    listAutoForwardLogs: async ({ ruleId, limit }, call) => {
      if (!(await autoForwards.find(call.workspaceId, ruleId, call))) throw new ApiError('RULE_NOT_FOUND');
      const lines = await autoForwardLogs.list(call.workspaceId, ruleId, limit, call);
      return { items: lines.map(toMessageAutoForwardLog) };
    },

    recordForward: async ({ ruleId, emailId, forwardTo, mode, status, reason, attempts }, call) => {
      if (!isOneOf(AUTO_FORWARD_MODES, mode)) return refuse('mode', mustBeOneOf(AUTO_FORWARD_MODES));
      if (!isOneOf(AUTO_FORWARD_STATUSES, status)) return refuse('status', mustBeOneOf(AUTO_FORWARD_STATUSES));
      const now = clock.date();
      const line = {
        _id: autoForwardLogId(call.workspaceId, ruleId, emailId),
        ruleId,
        emailId,
        forwardTo,
        mode,
        status,
        attempts,
        reason: reason ?? null,
        createdAt: now,
        expiresAt: new Date(now.getTime() + KEPT_MS),
      };
      await autoForwardLogs.record(call.workspaceId, line, call);
      return {};
    },
  } satisfies Partial<Handlers<LabelRuleServiceDefinition>>;
}

function toMessageAutoForwardLog(line: AutoForwardLogDocument): AutoForwardLog {
  return {
    id: line._id,
    ruleId: line.ruleId,
    emailId: line.emailId,
    forwardTo: line.forwardTo,
    mode: line.mode,
    status: line.status,
    reason: line.reason ?? undefined,
    attempts: line.attempts,
    createdAt: line.createdAt.toISOString(),
  };
}
