/** What a call still has of its time; a store asks whoever calls it. */
export interface TimeBudget {
  remainingMs(): number;
}

/** What is left of the request's time, as the database's own limit: past it the query ends there, too. */
export function timeLimit(budget: TimeBudget): { maxTimeMS: number } {
  return { maxTimeMS: Math.max(1, Math.floor(budget.remainingMs())) };
}
