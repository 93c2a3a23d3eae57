import type { AutoForwardRule } from '@postroom/proto/postroom/v1/resources';
import type { LabelRuleServiceDefinition } from '@postroom/proto/postroom/v1/label_rule';
import type { AuditTable } from '@postroom/rpc/audited';

const aiRule = (id: string, name: string | undefined) => ({ kind: 'ai_rule', id, name });
const autoForward = (id: string, rule: Partial<Pick<AutoForwardRule, 'forwardTo'>> | undefined) => ({
  kind: 'auto_forward_rule',
  id,
  name: rule?.forwardTo,
});

export const labelRuleAudit: AuditTable<LabelRuleServiceDefinition> = {
  createLabel: { action: 'label.created', target: ({ name }, made) => ({ kind: 'label', id: made?.id ?? '', name }) },
  updateLabel: {
    action: 'label.updated',
    target: ({ labelId: id, name }, changed) => ({ kind: 'label', id, name: changed?.name ?? name }),
  },
  deleteLabel: { action: 'label.deleted', target: ({ labelId: id }) => ({ kind: 'label', id }) },
  createAiLabelRule: { action: 'ai_rule.created', target: ({ name }, made) => aiRule(made?.id ?? '', name) },
  updateAiLabelRule: {
    action: 'ai_rule.updated',
    target: ({ ruleId, name }, changed) => aiRule(ruleId, changed?.label?.name ?? name),
  },
  deleteAiLabelRule: { action: 'ai_rule.deleted', target: ({ ruleId }) => aiRule(ruleId, undefined) },
  setExpectedVerdict: {
    action: 'ai_rule.expected_verdict_set',
    target: ({ ruleId }) => aiRule(ruleId, undefined),
  },
  setCompiledCondition: {
    action: 'ai_rule.compiled_condition_set',
    target: ({ ruleId }) => aiRule(ruleId, undefined),
  },
  backfillAiLabels: {
    action: 'backfill.started',
    target: ({ mailboxId = '' }) => ({ kind: 'mailbox', id: mailboxId }),
  },
  createAutoForwardRule: {
    action: 'auto_forward_rule.created',
    target: (asked, made) => autoForward(made?.id ?? '', asked),
  },
  updateAutoForwardRule: {
    action: 'auto_forward_rule.updated',
    target: (asked, changed) => autoForward(asked.ruleId, changed ?? asked),
  },
  deleteAutoForwardRule: {
    action: 'auto_forward_rule.deleted',
    target: ({ ruleId }) => autoForward(ruleId, undefined),
  },
  // The classifier and the forwarder report their work.
  recordBackfill: 'not audited',
  recordForward: 'not audited',
};
