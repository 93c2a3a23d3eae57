import { aiRuleHandlers } from './ai-rules.ts';
import { autoForwardHandlers } from './auto-forward.ts';
import { autoForwardLogHandlers } from './auto-forward-logs.ts';
import type { Deps, Rpcs } from './deps.ts';
import { labelHandlers } from './labels.ts';

/** Declared, and not built yet. */
export const LATER = ['backfillAiLabels'] as const;

export function createHandlers(deps: Deps): Omit<Rpcs, (typeof LATER)[number]> {
  return {
    ...labelHandlers(deps),
    ...aiRuleHandlers(deps),
    ...autoForwardHandlers(deps),
    ...autoForwardLogHandlers(deps),
  };
}
