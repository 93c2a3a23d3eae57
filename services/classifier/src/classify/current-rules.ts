import type { Rule, RuleStore } from './rule-store.ts';

/** The rules that exist at the time of the call. */
export type RulesOf = (workspaceId: string) => Promise<Rule[]>;

interface Reads {
  running: Promise<Rule[]>;
  /** Begins when the running one ends, for all that came in between. */
  next: Promise<Rule[]> | undefined;
}

/**
 * The rules of a workspace, so that a burst of mail reads them twice at most. A call never gets the result of a read that
 * began before it: an email may be newer than a rule that this read missed. The clocks of other processes do not matter.
 */
export function currentRules(store: Pick<RuleStore, 'list'>): RulesOf {
  const reads = new Map<string, Reads>();

  const begin = (workspaceId: string): Promise<Rule[]> => {
    const running = store.list(workspaceId);
    const own: Reads = { running, next: undefined };
    reads.set(workspaceId, own);
    const end = (): void => {
      if (own.next === undefined) reads.delete(workspaceId);
    };
    running.then(end, end);
    return running;
  };

  return (workspaceId) => {
    const known = reads.get(workspaceId);
    if (!known) return begin(workspaceId);
    const again = () => begin(workspaceId);
    known.next ??= known.running.then(again, again);
    return known.next;
  };
}
