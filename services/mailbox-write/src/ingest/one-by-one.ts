import { ApiError } from '@postroom/errors/api-error';
import { Dropped } from '@postroom/events/keyed-queue';

/**
 * Does something with all of them at once. Where that goes wrong because of what they are, with ever fewer of them, until
 * the culprit is alone and given up: it keeps none of the others out.
 */
export async function doOrGiveUp<T>(
  items: readonly T[],
  work: (some: readonly T[]) => Promise<void>,
  giveUp: (item: T, error: Error) => void,
): Promise<void> {
  try {
    await work(items);
  } catch (error) {
    const [only] = items;
    if (only === undefined || !isOfWhatTheyAre(error)) throw error;
    if (items.length === 1) return giveUp(only, error);
    const half = Math.ceil(items.length / 2);
    await doOrGiveUp(items.slice(0, half), work, giveUp);
    await doOrGiveUp(items.slice(half), work, giveUp);
  }
}

const DATABASE = /^Mongo/;
/** What it refuses however often it is asked: a key that is taken, and documents that no server takes. */
const REFUSALS = new Set([2, 22, 121, 10334, 11000, 17280, 17419, 17420]);

/** Whether it would go wrong again: that a database is away passes, and what callers are told is no fault. */
function isOfWhatTheyAre(error: unknown): error is Error {
  if (!(error instanceof Error) || error instanceof ApiError || error instanceof Dropped) return false;
  return !DATABASE.test(error.name) || REFUSALS.has(Number((error as { code?: unknown }).code));
}
