import type { ConditionPattern } from '@postroom/proto/postroom/v1/classifier';
import { z } from 'zod';
import type { CompiledConditionAnswer, ConditionPatternAnswer } from '../answers/answers.ts';
import { defineAppRoute } from './route.ts';

export const compiledConditionAppRoutes = [
  defineAppRoute({
    method: 'GET',
    path: '/workspaces/{workspaceId}/ai-label-rules/{ruleId}/compiled-condition',
    needs: 'member',
    call: async ({ params }, { classifier }, visit): Promise<CompiledConditionAnswer> => {
      const { since = null, patterns } = await classifier.getCompiledCondition(params, visit);
      return { since, patterns: patterns.map(toJsonPattern) };
    },
  }),
  defineAppRoute({
    method: 'PUT',
    path: '/workspaces/{workspaceId}/ai-label-rules/{ruleId}/compiled-condition',
    needs: 'admin',
    body: z.strictObject({ isCompiled: z.boolean() }),
    status: 204,
    call: ({ params: { ruleId }, body }, { labelRule }, visit) =>
      labelRule.setCompiledCondition({ ruleId, ...body }, visit),
  }),
];

function toJsonPattern(pattern: ConditionPattern): ConditionPatternAnswer {
  const { id, mailboxId, domain, sender = null, listId = null, subject = null, mailboxIn = null } = pattern;
  const { hasAttachments, isAuthenticated, applies, confidence, answered, isDropped, updatedAt } = pattern;
  return {
    id,
    mailboxId,
    sender,
    domain,
    listId,
    subject,
    mailboxIn: mailboxIn as ConditionPatternAnswer['mailboxIn'],
    hasAttachments,
    isAuthenticated,
    applies,
    confidence,
    answered,
    isDropped,
    updatedAt,
  };
}
