/** What a call still has of its time; a store asks whoever calls it. */
export interface Patience {
  remainingMs(): number;
}

/** What is left of the request's time, as the database's own limit: past it the query ends there, too. */
export function timeLimit(patience: Patience): { maxTimeMS: number } {
  return { maxTimeMS: Math.max(1, Math.floor(patience.remainingMs())) };
}
