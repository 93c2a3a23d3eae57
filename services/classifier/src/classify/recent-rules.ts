import type { Clock } from '@postroom/runtime/clock';
import type { Rule, RuleStore } from './rule-store.ts';

/** All that there were at a moment, and perhaps later ones. */
export type RulesOf = (workspaceId: string, at: Date) => Promise<Rule[]>;

const FRESH_MS = 3_000;
const MOST_WORKSPACES = 10_000;

/**
 * The rules of a workspace, some seconds old at most, so that a burst of mail reads them once. An email that arrived after
 * the read may be newer than another rule, so it reads them again.
 */
export function recentRules(store: RuleStore, clock: Pick<Clock, 'now'>): RulesOf {
  const known = new Map<string, { rules: Promise<Rule[]>; askedAt: number }>();

  return (workspaceId, at) => {
    const [found, now] = [known.get(workspaceId), clock.now()];
    if (found && found.askedAt >= at.getTime() && found.askedAt + FRESH_MS > now) return found.rules;
    const rules = store.list(workspaceId);
    known.delete(workspaceId);
    known.set(workspaceId, { rules, askedAt: now });
    // The next caller repeats a failed read.
    rules.catch(() => known.delete(workspaceId));
    const [oldest] = known.keys();
    if (known.size > MOST_WORKSPACES && oldest !== undefined) known.delete(oldest);
    return rules;
  };
}
