/** The remaining time of a call. A caller passes it to a store. */
export interface TimeBudget {
  remainingMs(): number;
}

/** The remaining time of a request as a limit of the database, so that the query ends there, too. */
export function timeLimit(budget: TimeBudget): { maxTimeMS: number } {
  return { maxTimeMS: Math.max(1, Math.floor(budget.remainingMs())) };
}

/** Of a query that no call's time bounds: as long as a call may take at the most. */
export const QUERY_BUDGET: TimeBudget = { remainingMs: () => 10_000 };
export const QUERY_LIMIT = timeLimit(QUERY_BUDGET);
