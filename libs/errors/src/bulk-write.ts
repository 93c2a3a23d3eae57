/** The error that ended a bulk write. The driver puts it where the answer of the server is otherwise, and names no cause. */
export function errorOfBulkWrite(error: unknown): Error | undefined {
  const { name, errorResponse } = (error ?? {}) as { name?: unknown; errorResponse?: unknown };
  return name === 'MongoBulkWriteError' && errorResponse instanceof Error ? errorResponse : undefined;
}
