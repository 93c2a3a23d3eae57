interface MaybeServerError {
  code?: unknown;
  message?: unknown;
}

const DUPLICATE_KEY = 11000;

/** The ways in which servers name an index in a message: `index: name dup key`, `collection.$name`, `"name"`. */
const NAMES_AN_INDEX = /\bindex: |\.\$|"/;

/**
 * Whether a write failed on the unique index of this name. The index name in the message is all that most
 * MongoDB-compatible servers give: keyPattern and keyValue are not. Where one names none it is the index that the
 * caller expects, since every other unique key of a document is random.
 */
export function isDuplicate(error: unknown, indexName: string): boolean {
  const { code, message } = (error ?? {}) as MaybeServerError;
  if (code !== DUPLICATE_KEY || typeof message !== 'string') return false;
  if (!NAMES_AN_INDEX.test(message)) return true;
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
