/** What a call still has of its time; a store asks whoever calls it. */
export interface TimeBudget {
  remainingMs(): number;
}

/** What is left of the request's time, as the database's own limit: past it the query ends there, too. */
export function timeLimit(budget: TimeBudget): { maxTimeMS: number } {
  return { maxTimeMS: Math.max(1, Math.floor(budget.remainingMs())) };
}

/** Of a query that no call's time bounds: as long as a call may take at the most. */
export const QUERY_BUDGET: TimeBudget = { remainingMs: () => 10_000 };
export const QUERY_LIMIT = timeLimit(QUERY_BUDGET);
