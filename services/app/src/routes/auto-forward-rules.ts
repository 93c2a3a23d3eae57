import {
  autoForwardLogQuery,
  createAutoForwardRequest,
  toJsonAutoForwardLog,
  toJsonAutoForwardRule,
  updateAutoForwardRequest,
} from '@postroom/resources/auto-forward-rule';
import { defineAppRoute } from './route.ts';

export const autoForwardRuleAppRoutes = [
  defineAppRoute({
    method: 'GET',
    path: '/workspaces/{workspaceId}/auto-forward-rules',
    needs: 'member',
    call: async (_input, { labelRule }, visit) => ({
      items: (await labelRule.listAutoForwardRules({}, visit)).items.map(toJsonAutoForwardRule),
    }),
  }),
  defineAppRoute({
    method: 'GET',
    path: '/workspaces/{workspaceId}/auto-forward-rules/{ruleId}',
    needs: 'member',
    call: async ({ params }, { labelRule }, visit) => ({
      rule: toJsonAutoForwardRule(await labelRule.getAutoForwardRule(params, visit)),
    }),
  }),
  defineAppRoute({
    method: 'GET',
    path: '/workspaces/{workspaceId}/auto-forward-rules/{ruleId}/logs',
    needs: 'member',
    query: autoForwardLogQuery,
    call: async ({ params: { ruleId }, query: { limit } }, { labelRule }, visit) => ({
      items: (await labelRule.listAutoForwardLogs({ ruleId, limit }, visit)).items.map(toJsonAutoForwardLog),
    }),
  }),
  defineAppRoute({
    method: 'POST',
    path: '/workspaces/{workspaceId}/auto-forward-rules',
    needs: 'admin',
    body: createAutoForwardRequest,
    status: 201,
    call: async ({ body }, { labelRule }, visit) => ({
      rule: toJsonAutoForwardRule(await labelRule.createAutoForwardRule(body, visit)),
    }),
  }),
  defineAppRoute({
    method: 'PATCH',
    path: '/workspaces/{workspaceId}/auto-forward-rules/{ruleId}',
    needs: 'admin',
    body: updateAutoForwardRequest,
    call: async ({ params: { ruleId }, body }, { labelRule }, visit) => ({
      rule: toJsonAutoForwardRule(await labelRule.updateAutoForwardRule({ ...body, ruleId }, visit)),
    }),
  }),
  defineAppRoute({
    method: 'DELETE',
    path: '/workspaces/{workspaceId}/auto-forward-rules/{ruleId}',
    needs: 'admin',
    status: 204,
    call: ({ params }, { labelRule }, visit) => labelRule.deleteAutoForwardRule(params, visit),
  }),
];
