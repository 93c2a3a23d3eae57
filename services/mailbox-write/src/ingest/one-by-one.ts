import { ApiError } from '@postroom/errors/api-error';
import { Dropped } from '@postroom/events/keyed-queue';

/** What passes, such as two that store the same message at once, is over when it is tried so often. */
const TRIES = 3;

/**
 * Does something with all of them at once. Where that goes wrong because of what they are, with ever fewer of them, until
 * the culprit is alone, still goes wrong, and is given up: it keeps none of the others out.
 */
export async function doOrGiveUp<T>(
  items: readonly T[],
  work: (some: readonly T[]) => Promise<void>,
  giveUp: (item: T, error: Error) => void,
): Promise<void> {
  const failure = await failureOf(items, work);
  const [only] = items;
  if (failure === undefined || only === undefined) return;
  if (items.length === 1) {
    const last = await failsAgain(() => failureOf(items, work));
    if (last) giveUp(only, last);
    return;
  }
  const half = Math.ceil(items.length / 2);
  await doOrGiveUp(items.slice(0, half), work, giveUp);
  await doOrGiveUp(items.slice(half), work, giveUp);
}

/** What went wrong because of what they are; anything else is thrown. */
async function failureOf<T>(items: readonly T[], work: (some: readonly T[]) => Promise<void>) {
  try {
    await work(items);
    return undefined;
  } catch (error) {
    if (!isOfWhatTheyAre(error)) throw error;
    return error;
  }
}

async function failsAgain(once: () => Promise<Error | undefined>): Promise<Error | undefined> {
  let failure: Error | undefined;
  for (let tries = 1; tries < TRIES; tries += 1) {
    failure = await once();
    if (failure === undefined) return undefined;
  }
  return failure;
}

const DATABASE = /^Mongo/;
/** What it refuses however often it is asked: a key that is taken, and documents that no server takes. */
const REFUSALS = new Set([2, 22, 121, 10334, 11000, 17280, 17419, 17420]);

/** Whether it may go wrong again: that a database is away passes, and what callers are told is no fault. */
function isOfWhatTheyAre(error: unknown): error is Error {
  if (!(error instanceof Error) || error instanceof ApiError || error instanceof Dropped) return false;
  return !DATABASE.test(error.name) || REFUSALS.has(Number((error as { code?: unknown }).code));
}
