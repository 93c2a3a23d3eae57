import type { Clock } from '@postroom/runtime/clock';
import type { Rule, RuleStore } from './rule-store.ts';

export type RulesOf = (workspaceId: string) => Promise<Rule[]>;

const FRESH_MS = 3_000;
const MOST_WORKSPACES = 10_000;

/** The rules of a workspace, as they were seconds ago at most: a burst of mail asks for them once. */
export function recentRules(store: RuleStore, clock: Pick<Clock, 'now'>): RulesOf {
  const known = new Map<string, { rules: Promise<Rule[]>; until: number }>();

  return (workspaceId) => {
    const found = known.get(workspaceId);
    if (found && found.until > clock.now()) return found.rules;
    const rules = store.list(workspaceId);
    known.delete(workspaceId);
    known.set(workspaceId, { rules, until: clock.now() + FRESH_MS });
    // What failed is asked for again by whoever comes next.
    rules.catch(() => known.delete(workspaceId));
    const [oldest] = known.keys();
    if (known.size > MOST_WORKSPACES && oldest !== undefined) known.delete(oldest);
    return rules;
  };
}
