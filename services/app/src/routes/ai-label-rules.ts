import { isPaid } from '@postroom/contract/plans';
import type { Decision } from '@postroom/proto/postroom/v1/mailbox_read';
import type { BackfillJob } from '@postroom/proto/postroom/v1/label_rule';
import {
  backfillRequest,
  createRuleRequest,
  toJsonAiLabelRule,
  updateRuleRequest,
} from '@postroom/resources/ai-label-rule';
import { cursor, limit } from '@postroom/resources/paging';
import { z } from 'zod';
import type { BackfillAnswer, DecisionAnswer, PageOf } from '../answers/answers.ts';
import { defineAppRoute, type WorkspaceVisit } from './route.ts';
import type { AppServices } from './services.ts';
import { limitsOf } from './usage.ts';

const MOST_BACKFILLS = 50;

/** Owners and admins may let rules send; the plan may not. */
async function permissions(visit: WorkspaceVisit, services: AppServices) {
  return { planIsPaid: isPaid((await limitsOf(visit, services)).plan), maySend: true };
}

export const aiLabelRuleAppRoutes = [
  defineAppRoute({
    method: 'GET',
    path: '/workspaces/{workspaceId}/ai-label-rules',
    needs: 'member',
    call: async (_input, { labelRule }, visit) => ({
      items: (await labelRule.listAiLabelRules({}, visit)).items.map(toJsonAiLabelRule),
    }),
  }),
  defineAppRoute({
    method: 'GET',
    path: '/workspaces/{workspaceId}/ai-label-rules/{ruleId}',
    needs: 'member',
    call: async ({ params }, { labelRule }, visit) => ({
      rule: toJsonAiLabelRule(await labelRule.getAiLabelRule(params, visit)),
    }),
  }),
  defineAppRoute({
    method: 'POST',
    path: '/workspaces/{workspaceId}/ai-label-rules',
    needs: 'admin',
    body: createRuleRequest,
    status: 201,
    call: async ({ body }, services, visit) => {
      const request = { ...body, ...(await permissions(visit, services)) };
      return { rule: toJsonAiLabelRule(await services.labelRule.createAiLabelRule(request, visit)) };
    },
  }),
  defineAppRoute({
    method: 'PATCH',
    path: '/workspaces/{workspaceId}/ai-label-rules/{ruleId}',
    needs: 'admin',
    body: updateRuleRequest,
    call: async ({ params: { ruleId }, body }, services, visit) => {
      const request = { ...body, ruleId, ...(await permissions(visit, services)) };
      return { rule: toJsonAiLabelRule(await services.labelRule.updateAiLabelRule(request, visit)) };
    },
  }),
  defineAppRoute({
    method: 'DELETE',
    path: '/workspaces/{workspaceId}/ai-label-rules/{ruleId}',
    needs: 'admin',
    status: 204,
    call: ({ params: { ruleId } }, { labelRule }, visit) =>
      labelRule.deleteAiLabelRule({ ruleId, maySend: true }, visit),
  }),
  defineAppRoute({
    method: 'GET',
    path: '/workspaces/{workspaceId}/ai-label-rules/{ruleId}/decisions',
    needs: 'member',
    query: z.object({ limit, cursor }),
    call: async ({ params: { ruleId }, query }, services, visit): Promise<PageOf<DecisionAnswer>> => {
      // A rule that is not there has no list of decisions, not even an empty one.
      await services.labelRule.getAiLabelRule({ ruleId }, visit);
      const {
        items,
        nextCursor = null,
        hasMore,
      } = await services.mailboxRead.listDecisions({ ruleId, ...query }, visit);
      return { items: items.map(toJsonDecision), nextCursor, hasMore };
    },
  }),
  defineAppRoute({
    method: 'GET',
    path: '/workspaces/{workspaceId}/rule-decisions',
    needs: 'admin',
    query: z.object({ limit, cursor }),
    call: async ({ query }, { mailboxRead }, visit): Promise<PageOf<DecisionAnswer>> => {
      const { items, nextCursor = null, hasMore } = await mailboxRead.listDecisions(query, visit);
      return { items: items.map(toJsonDecision), nextCursor, hasMore };
    },
  }),
  defineAppRoute({
    method: 'GET',
    path: '/workspaces/{workspaceId}/backfills',
    needs: 'member',
    call: async (_input, { labelRule }, visit) => ({
      items: (await labelRule.listBackfills({ limit: MOST_BACKFILLS }, visit)).items.map(toJsonBackfill),
    }),
  }),
  defineAppRoute({
    method: 'POST',
    path: '/workspaces/{workspaceId}/backfills',
    needs: 'admin',
    body: backfillRequest,
    status: 202,
    call: async ({ body }, { labelRule }, visit) => {
      const { jobs, mailboxIds } = await labelRule.backfillAiLabels({ ...body }, visit);
      return { jobs, mailboxIds };
    },
  }),
];

function toJsonBackfill(job: BackfillJob): BackfillAnswer {
  const { id, mailboxId, state, done, total, cause = null, createdAt, updatedAt } = job;
  return { id, mailboxId, state: state as BackfillAnswer['state'], done, total, cause, createdAt, updatedAt };
}

function toJsonDecision({ email, effect, ...decision }: Decision): DecisionAnswer {
  const { ruleId, emailId, mailboxId, applies, confidence, reason, model, isBackfill, decidedAt } = decision;
  const from = email?.from && { email: email.from.email, name: email.from.name ?? null };
  return {
    ruleId,
    emailId,
    mailboxId,
    email: email && from ? { subject: email.subject, from, date: email.date } : null,
    applies,
    confidence,
    reason,
    model,
    isBackfill,
    decidedAt,
    effect: effect
      ? { id: effect.id, at: effect.at, undoneAt: effect.undoneAt ?? null, staysBecause: effect.staysBecause ?? null }
      : null,
  };
}
