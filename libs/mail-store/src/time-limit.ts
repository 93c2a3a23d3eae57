/** What is left of the request's time, as the database's own limit: past it the query ends there, too. */
export function timeLimit(call: { remainingMs(): number }): { maxTimeMS: number } {
  return { maxTimeMS: Math.max(1, Math.floor(call.remainingMs())) };
}
