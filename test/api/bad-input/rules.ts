import { asked, INVALID, NONE, type Row } from './row.ts';

const rule = { name: 'R', color: 'Red', condition: 'an invoice' };
const forwarding = { conditionValue: 'mine', forwardTo: 'a@b.example' };

export const aiRuleRows: Row[] = [
  ...asked('POST /ai-label-rules', INVALID, [
    [{}, 'name'],
    [{ ...rule, name: 'x'.repeat(51) }, 'name'],
    [{ ...rule, color: undefined }, 'color'],
    [{ ...rule, condition: '  ' }, 'condition'],
    [{ ...rule, condition: 'x'.repeat(501) }, 'condition'],
    [{ ...rule, autoReplyConfidenceThreshold: 101 }, 'autoReplyConfidenceThreshold'],
    [{ ...rule, autoReplyConfidenceThreshold: 1.5 }, 'autoReplyConfidenceThreshold'],
    [{ ...rule, autoReplyDelayMinutes: -1 }, 'autoReplyDelayMinutes'],
    [{ ...rule, autoReplyDelayMinutes: '5' }, 'autoReplyDelayMinutes'],
    [{ ...rule, hideFromInbox: 'yes' }, 'hideFromInbox'],
    [{ ...rule, priority: 1 }, 'priority'],
    [{ ...rule, autoReplyEnabled: true }, 'autoReplyEnabled'],
  ]),
  ['POST /ai-label-rules', { ...rule, name: 'MINE' }, '409 DUPLICATE_RULE'],
  ['PATCH /ai-label-rules/{aiRuleId}', {}, INVALID, 'name'],
  ['PATCH /ai-label-rules/{aiRuleId}', { label: 'x' }, INVALID, 'label'],
  ['PATCH /ai-label-rules/{aiRuleId}', { autoReplyEnabled: true }, INVALID, 'autoReplyEnabled'],
  ['PATCH /ai-label-rules/{aiRuleId}', { name: 'mine' }, '409 DUPLICATE_RULE'],
  ['PATCH /ai-label-rules/air_none', { condition: 'x' }, '404 RULE_NOT_FOUND'],
  ['GET /ai-label-rules/{forwardRuleId}', NONE, '404 RULE_NOT_FOUND'],
  ['DELETE /ai-label-rules/air_none', NONE, '404 RULE_NOT_FOUND'],
  ...asked('POST /ai-label-rules/backfill', INVALID, [
    [{ limit: 0 }, 'limit'],
    [{ limit: 501 }, 'limit'],
    [{ limit: '200' }, 'limit'],
    [{ mailboxId: '' }, 'mailboxId'],
    [{ ruleId: '{aiRuleId}' }, 'ruleId'],
  ]),
  ['POST /ai-label-rules/backfill', { mailboxId: 'mbx_none' }, '404 MAILBOX_NOT_FOUND'],
];

export const forwardRuleRows: Row[] = [
  ...asked('POST /auto-forward-rules', INVALID, [
    [{}, 'conditionValue'],
    [{ ...forwarding, conditionValue: ' ' }, 'conditionValue'],
    [{ ...forwarding, conditionValue: 'x'.repeat(256) }, 'conditionValue'],
    [{ ...forwarding, forwardTo: 'nobody' }, 'forwardTo'],
    [{ ...forwarding, forwardTo: 'a@b.example,c@d.example' }, 'forwardTo'],
    [{ ...forwarding, conditionField: 'body_contains' }, 'conditionField'],
    [{ ...forwarding, mode: 'Invisible' }, 'mode'],
    [{ ...forwarding, isActive: 'true' }, 'isActive'],
    [{ ...forwarding, note: 'x' }, 'note'],
  ]),
  ['PATCH /auto-forward-rules/{forwardRuleId}', {}, INVALID, 'conditionField'],
  ['PATCH /auto-forward-rules/{forwardRuleId}', { forwardTo: '' }, INVALID, 'forwardTo'],
  ['PATCH /auto-forward-rules/{forwardRuleId}', { id: 'x' }, INVALID, 'id'],
  ['PATCH /auto-forward-rules/afr_none', { isActive: true }, '404 RULE_NOT_FOUND'],
  ['GET /auto-forward-rules/{aiRuleId}', NONE, '404 RULE_NOT_FOUND'],
  ['GET /auto-forward-rules/afr_none/logs', NONE, '404 RULE_NOT_FOUND'],
  ['DELETE /auto-forward-rules/afr_none', NONE, '404 RULE_NOT_FOUND'],
];
