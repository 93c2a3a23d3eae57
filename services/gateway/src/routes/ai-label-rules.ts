import {
  backfillReply,
  backfillRequest,
  createRuleRequest,
  ruleListReply,
  ruleReply,
  toJsonAiLabelRule,
  updateRuleRequest,
} from '@postroom/resources/ai-label-rule';
import { defineRoute } from './route.ts';
import { NAMES_THAT_FORWARD } from './labels.ts';

const tag = 'AI label rules';

export const aiLabelRuleRoutes = [
  defineRoute({
    method: 'GET',
    path: '/ai-label-rules',
    operationId: 'listAiLabelRules',
    tag,
    summary: 'All AI label rules',
    scope: 'read',
    reply: { status: 200, schema: ruleListReply, description: 'The rules, in the order of their making.' },
    errors: [],
    call: async (_input, { labelRule }, context) => {
      const { items } = await labelRule.listAiLabelRules({}, context);
      return { items: items.map(toJsonAiLabelRule) };
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/ai-label-rules/{ruleId}',
    operationId: 'getAiLabelRule',
    tag,
    summary: 'One AI label rule',
    scope: 'read',
    reply: { status: 200, schema: ruleReply, description: 'The rule.' },
    errors: ['RULE_NOT_FOUND'],
    call: async ({ params }, { labelRule }, context) => ({
      rule: toJsonAiLabelRule(await labelRule.getAiLabelRule(params, context)),
    }),
  }),
  defineRoute({
    method: 'POST',
    path: '/ai-label-rules',
    operationId: 'createAiLabelRule',
    tag,
    summary: 'Create an AI label with its rule',
    description: `Auto-draft and auto-reply need a subscription; auto-reply also the Send emails permission. ${NAMES_THAT_FORWARD}`,
    scope: 'write',
    idempotent: true,
    body: createRuleRequest,
    reply: { status: 201, schema: ruleReply, description: 'The new rule.' },
    errors: ['PLAN_REQUIRED', 'OUTBOUND_SEND_NOT_ALLOWED', 'DUPLICATE_RULE'],
    call: async ({ body }, { labelRule }, context) => {
      const { planIsPaid, maySend } = context;
      return { rule: toJsonAiLabelRule(await labelRule.createAiLabelRule({ ...body, planIsPaid, maySend }, context)) };
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/ai-label-rules/backfill',
    operationId: 'backfillAiLabels',
    tag,
    summary: 'Classify emails that were there before the rules',
    description:
      'Queues one job for each mailbox, which asks the rules about its newest INBOX emails. Labels land in `tags` as it goes on; nothing is drafted, answered or forwarded.',
    scope: 'write',
    idempotent: true,
    body: backfillRequest,
    reply: { status: 202, schema: backfillReply, description: 'The jobs are queued.' },
    errors: ['MAILBOX_NOT_FOUND'],
    call: async ({ body }, { labelRule }, context) => {
      const { jobs, mailboxIds } = await labelRule.backfillAiLabels({ ...body }, context);
      return { jobs, mailboxIds };
    },
  }),
  defineRoute({
    method: 'PATCH',
    path: '/ai-label-rules/{ruleId}',
    operationId: 'updateAiLabelRule',
    tag,
    summary: 'Change an AI label rule or its label',
    description: `Turning auto-draft off turns auto-reply off with it; turning either off always works. A rule that replies after the change is changed only with the Send emails permission, and so is the condition of a rule whose label an active auto-forward rule names. ${NAMES_THAT_FORWARD}`,
    scope: 'write',
    body: updateRuleRequest,
    reply: { status: 200, schema: ruleReply, description: 'The rule as it is now.' },
    errors: ['RULE_NOT_FOUND', 'PLAN_REQUIRED', 'OUTBOUND_SEND_NOT_ALLOWED', 'DUPLICATE_RULE'],
    call: async ({ params: { ruleId }, body }, { labelRule }, context) => {
      const { planIsPaid, maySend } = context;
      const request = { ...body, ruleId, planIsPaid, maySend };
      return { rule: toJsonAiLabelRule(await labelRule.updateAiLabelRule(request, context)) };
    },
  }),
  defineRoute({
    method: 'DELETE',
    path: '/ai-label-rules/{ruleId}',
    operationId: 'deleteAiLabelRule',
    tag,
    summary: 'Delete an AI label rule and its label',
    description: `Takes the label off every email, and deletes the inbox filters that target it. ${NAMES_THAT_FORWARD}`,
    scope: 'write',
    reply: { status: 204, description: 'The rule and its label are gone.' },
    errors: ['RULE_NOT_FOUND', 'OUTBOUND_SEND_NOT_ALLOWED'],
    call: ({ params }, { labelRule }, context) =>
      labelRule.deleteAiLabelRule({ ...params, maySend: context.maySend }, context),
  }),
];
