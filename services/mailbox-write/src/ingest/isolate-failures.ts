import { ApiError } from '@postroom/errors/api-error';
import { Dropped } from '@postroom/runtime/keyed-queue';

/** The tries for a passing conflict, such as two calls that store the same message at once. */
const TRIES = 3;

/**
 * Works on all items at once. When their content makes it fail, it works on ever fewer of them, until the culprit is
 * alone, fails again and is given up. It keeps no other item out.
 */
export async function isolateFailures<T>(
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
  await isolateFailures(items.slice(0, half), work, giveUp);
  await isolateFailures(items.slice(half), work, giveUp);
}

/** Handles a failure by the content of the items. Any other error is thrown. */
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
/** Permanent refusals of the database: a taken key, and documents that no server accepts. */
const REFUSALS = new Set([2, 22, 121, 10334, 11000, 17280, 17419, 17420]);

/** Whether the failure is permanent. An unavailable database is not, and a refusal for the caller is no fault. */
function isOfWhatTheyAre(error: unknown): error is Error {
  if (!(error instanceof Error) || error instanceof ApiError || error instanceof Dropped) return false;
  return !DATABASE.test(error.name) || REFUSALS.has(Number((error as { code?: unknown }).code));
}
