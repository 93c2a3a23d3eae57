interface MaybeServerError {
  code?: unknown;
  message?: unknown;
  writeErrors?: unknown;
}

const DUPLICATE_KEY = 11000;

/**
 * Whether a write failed on the unique index of this name. The index name in the message is all that every
 * MongoDB-compatible server gives: keyPattern and keyValue are not.
 */
export function isDuplicate(error: unknown, indexName: string): boolean {
  const { code, message } = (error ?? {}) as MaybeServerError;
  if (code !== DUPLICATE_KEY || typeof message !== 'string') return false;
  return (
    message.includes(`index: ${indexName} `) ||
    message.includes(`.$${indexName} `) ||
    message.includes(`"${indexName}"`)
  );
}

/** Any unique key at all, for writes where every duplicate means the same. */
export function isAnyDuplicate(error: unknown): boolean {
  return ((error ?? {}) as MaybeServerError).code === DUPLICATE_KEY;
}
