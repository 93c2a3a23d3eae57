import type { AutoForwardRuleAnswer } from '@postroom/app/answers';

type Field = AutoForwardRuleAnswer['conditionField'];

export const FORWARD_FIELDS: Readonly<Record<Field, string>> = {
  label: 'AI label is',
  sender_contains: 'Sender contains',
  sender_equals: 'Sender is',
  subject_contains: 'Subject contains',
  subject_equals: 'Subject is',
};

export const forwardWords = (rule: Pick<AutoForwardRuleAnswer, 'conditionField' | 'conditionValue'>): string =>
  `${FORWARD_FIELDS[rule.conditionField]} “${rule.conditionValue}”`;
