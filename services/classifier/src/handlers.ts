import type { ClassifierServiceDefinition } from '@postroom/proto/postroom/v1/classifier';
import type { Handlers } from '@postroom/rpc/definition';
import { patternHandlers } from './compiled-conditions/compiled-conditions.ts';
import type { Deps } from './deps.ts';
import { ruleTestHandlers } from './rule-test/rule-test.ts';

export function createHandlers(deps: Deps): Handlers<ClassifierServiceDefinition> {
  return { ...ruleTestHandlers(deps), ...patternHandlers(deps) };
}
