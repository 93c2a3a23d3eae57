import type { Model } from 'mongoose';

interface WriteFailure {
  index?: number;
  code?: number;
  /** Where drivers of other versions put the two. */
  err?: { index?: number; code?: number };
}

interface BulkFailure {
  writeErrors?: WriteFailure | WriteFailure[];
}

const DUPLICATE_KEY = 11000;

/**
 * Inserts in one round trip and gives back the documents that a unique key kept out. Anything else that stops one
 * is thrown, once the rest is in. Goes past mongoose's casting, which would cost as much as the database does: the
 * documents are made by code whose types say the same. `castObject` is here for its type, which names those documents.
 */
export async function insertAll<T>(
  model: Pick<Model<T>, 'collection' | 'castObject'>,
  documents: readonly T[],
): Promise<T[]> {
  if (documents.length === 0) return [];
  try {
    await model.collection.insertMany(documents as never[], { ordered: false });
    return [];
  } catch (error) {
    const failures = [(error as BulkFailure).writeErrors ?? []].flat();
    const isOnlyDuplicates = failures.length > 0 && failures.every((failure) => codeOf(failure) === DUPLICATE_KEY);
    if (!isOnlyDuplicates) throw error;
    return failures.map((failure) => documents[failure.index ?? failure.err?.index ?? -1] as T);
  }
}

function codeOf(failure: WriteFailure): number | undefined {
  return failure.code ?? failure.err?.code;
}
