import {
  autoForwardListReply,
  autoForwardLogQuery,
  autoForwardLogReply,
  autoForwardReply,
  createAutoForwardRequest,
  toJsonAutoForwardLog,
  toJsonAutoForwardRule,
  updateAutoForwardRequest,
} from '@postroom/resources/auto-forward-rule';
import { defineRoute } from './route.ts';

const tag = 'Auto-forward rules';

export const autoForwardRuleRoutes = [
  defineRoute({
    method: 'GET',
    path: '/auto-forward-rules',
    operationId: 'listAutoForwardRules',
    tag,
    summary: 'All auto-forward rules',
    scope: 'read',
    reply: { status: 200, schema: autoForwardListReply, description: 'The rules, in the order in which they run.' },
    errors: [],
    call: async (_input, { labelRule }, context) => {
      const { items } = await labelRule.listAutoForwardRules({}, context);
      return { items: items.map(toJsonAutoForwardRule) };
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/auto-forward-rules/{ruleId}',
    operationId: 'getAutoForwardRule',
    tag,
    summary: 'One auto-forward rule',
    scope: 'read',
    reply: { status: 200, schema: autoForwardReply, description: 'The rule.' },
    errors: ['RULE_NOT_FOUND'],
    call: async ({ params }, { labelRule }, context) => ({
      rule: toJsonAutoForwardRule(await labelRule.getAutoForwardRule(params, context)),
    }),
  }),
  defineRoute({
    method: 'GET',
    path: '/auto-forward-rules/{ruleId}/logs',
    operationId: 'listAutoForwardLogs',
    tag,
    summary: 'What became of the emails that a rule applied to',
    description: 'Newest first, without pages; each email stands there once. Entries are kept for 90 days.',
    scope: 'read',
    query: autoForwardLogQuery,
    reply: { status: 200, schema: autoForwardLogReply, description: 'The attempts.' },
    errors: ['RULE_NOT_FOUND'],
    call: async ({ params: { ruleId }, query: { limit } }, { labelRule }, context) => {
      const { items } = await labelRule.listAutoForwardLogs({ ruleId, limit }, context);
      return { items: items.map(toJsonAutoForwardLog) };
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/auto-forward-rules',
    operationId: 'createAutoForwardRule',
    tag,
    summary: 'Create an auto-forward rule',
    scope: 'write',
    permission: 'send',
    idempotent: true,
    body: createAutoForwardRequest,
    reply: { status: 201, schema: autoForwardReply, description: 'The new rule.' },
    errors: [],
    call: async ({ body }, { labelRule }, context) => ({
      rule: toJsonAutoForwardRule(await labelRule.createAutoForwardRule(body, context)),
    }),
  }),
  defineRoute({
    method: 'PATCH',
    path: '/auto-forward-rules/{ruleId}',
    operationId: 'updateAutoForwardRule',
    tag,
    summary: 'Change an auto-forward rule',
    scope: 'write',
    permission: 'send',
    body: updateAutoForwardRequest,
    reply: { status: 200, schema: autoForwardReply, description: 'The rule as it is now.' },
    errors: ['RULE_NOT_FOUND'],
    call: async ({ params: { ruleId }, body }, { labelRule }, context) => ({
      rule: toJsonAutoForwardRule(await labelRule.updateAutoForwardRule({ ...body, ruleId }, context)),
    }),
  }),
  defineRoute({
    method: 'DELETE',
    path: '/auto-forward-rules/{ruleId}',
    operationId: 'deleteAutoForwardRule',
    tag,
    summary: 'Delete an auto-forward rule',
    scope: 'write',
    permission: 'send',
    reply: { status: 204, description: 'The rule is gone.' },
    errors: ['RULE_NOT_FOUND'],
    call: ({ params }, { labelRule }, context) => labelRule.deleteAutoForwardRule(params, context),
  }),
];
