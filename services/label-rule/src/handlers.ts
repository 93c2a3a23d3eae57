import { aiRuleHandlers } from './ai-rules.ts';
import { autoForwardHandlers } from './auto-forward.ts';
import { autoForwardLogHandlers } from './auto-forward-logs.ts';
import { backfillHandlers } from './backfills.ts';
import type { Deps, Rpcs } from './deps.ts';
import { labelHandlers } from './labels.ts';

export function createHandlers(deps: Deps): Rpcs {
  return {
    ...labelHandlers(deps),
    ...aiRuleHandlers(deps),
    ...backfillHandlers(deps),
    ...autoForwardHandlers(deps),
    ...autoForwardLogHandlers(deps),
  };
}
