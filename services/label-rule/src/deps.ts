import type { AiRuleDeps } from './ai-rules/ai-rules.ts';
import type { AutoForwardDeps } from './auto-forward/auto-forward.ts';
import type { BackfillDeps } from './backfills/backfills.ts';
import type { CompiledConditionDeps } from './compiled-conditions/compiled-conditions.ts';
import type { ExpectedVerdictDeps } from './expected-verdicts/expected-verdicts.ts';
import type { LabelDeps } from './labels/labels.ts';

/** The dependencies of the handlers of this service. */
export type Deps = AiRuleDeps &
  AutoForwardDeps &
  BackfillDeps &
  CompiledConditionDeps &
  ExpectedVerdictDeps &
  LabelDeps;
