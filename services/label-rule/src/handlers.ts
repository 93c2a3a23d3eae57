import type { LabelRuleServiceDefinition } from '@postroom/proto/postroom/v1/label_rule';
import type { Handlers } from '@postroom/rpc/definition';
import type { Deps } from './deps.ts';
import { aiRuleHandlers } from './ai-rules/ai-rules.ts';
import { autoForwardHandlers } from './auto-forward/auto-forward.ts';
import { backfillHandlers } from './backfills/backfills.ts';
import { compiledConditionHandlers } from './compiled-conditions/compiled-conditions.ts';
import { expectedVerdictHandlers } from './expected-verdicts/expected-verdicts.ts';
import { labelHandlers } from './labels/labels.ts';

export function createHandlers(deps: Deps): Handlers<LabelRuleServiceDefinition> {
  return {
    ...labelHandlers(deps),
    ...aiRuleHandlers(deps),
    ...expectedVerdictHandlers(deps),
    ...compiledConditionHandlers(deps),
    ...backfillHandlers(deps),
    ...autoForwardHandlers(deps),
  };
}
