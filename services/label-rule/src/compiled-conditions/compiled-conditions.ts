import type { LabelRuleServiceDefinition } from '@postroom/proto/postroom/v1/label_rule';
import type { Handlers } from '@postroom/rpc/definition';
import type { ServiceContext } from '@postroom/runtime/service';
import type { AiRuleDeps } from '../ai-rules/ai-rules.ts';
import { findRule } from '../ai-rules/ai-rules.ts';
import type { CompiledConditionStore } from './compiled-condition-store.ts';

export interface CompiledConditionDeps extends Pick<AiRuleDeps, 'aiRules' | 'labels'> {
  context: Pick<ServiceContext, 'clock'>;
  compiledConditions: CompiledConditionStore;
}

/** No other setting of the rule changes, nor does its version: verdicts that were given are still those of the rule. */
export function compiledConditionHandlers(deps: CompiledConditionDeps) {
  const { context, compiledConditions: store } = deps;
  return {
    setCompiledCondition: async ({ ruleId, isCompiled }, call) => {
      await findRule(ruleId, call, deps);
      if (isCompiled) await store.switchOn(call.workspaceId, ruleId, context.clock.date(), call);
      else await store.switchOff(call.workspaceId, ruleId, call);
      return {};
    },
  } satisfies Partial<Handlers<LabelRuleServiceDefinition>>;
}
