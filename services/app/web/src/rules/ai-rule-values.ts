import type { AiLabelRuleAnswer } from '@postroom/app/answers';
import { bounds } from '@postroom/contract/bounds';

/** A rule as its form holds it: numbers are what is typed. */
export interface RuleValues {
  name: string;
  color: string;
  condition: string;
  hideFromInbox: boolean;
  autoDraftEnabled: boolean;
  autoReplyEnabled: boolean;
  autoReplyConfidenceThreshold: string;
  autoReplyDelayMinutes: string;
}

export function valuesOf(rule: AiLabelRuleAnswer | null): RuleValues {
  return {
    name: rule?.label.name ?? '',
    color: rule?.label.color ?? 'Blue',
    condition: rule?.condition ?? '',
    hideFromInbox: rule?.hideFromInbox ?? false,
    autoDraftEnabled: rule?.autoDraftEnabled ?? false,
    autoReplyEnabled: rule?.autoReplyEnabled ?? false,
    autoReplyConfidenceThreshold: String(rule?.autoReplyConfidenceThreshold ?? bounds.autoReplyThreshold.usual),
    autoReplyDelayMinutes: String(rule?.autoReplyDelayMinutes ?? bounds.autoReplyDelayMinutes.usual),
  };
}

export const isReplyPossible = ({ autoDraftEnabled }: RuleValues): boolean => autoDraftEnabled;

export function ruleBody(values: RuleValues): object {
  return {
    ...values,
    name: values.name.trim(),
    condition: values.condition.trim(),
    autoReplyConfidenceThreshold: Number(values.autoReplyConfidenceThreshold),
    autoReplyDelayMinutes: Number(values.autoReplyDelayMinutes),
  };
}
