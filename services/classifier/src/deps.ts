import type { PatternDeps } from './compiled-conditions/compiled-conditions.ts';
import type { RuleTestDeps } from './rule-test/rule-test.ts';

/** The dependencies of the handlers of this service. */
export type Deps = PatternDeps & RuleTestDeps;
