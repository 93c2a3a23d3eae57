import type { Request } from './requests.ts';

export interface Failure {
  message: string;
  sequence: Request[];
}

/**
 * Leaves out of a sequence whatever it fails without: first many requests at once, then single ones, then their parts. Until
 * the time is over, since what is small enough to be read is better than what is found too late to be told.
 */
export async function makeSmaller(
  failure: Failure,
  failureOf: (sequence: Request[]) => Promise<string | undefined>,
  until: number,
): Promise<Failure> {
  let best = failure;
  const isBetter = async (sequence: Request[]): Promise<boolean> => {
    const message = Date.now() < until ? await failureOf(sequence) : undefined;
    if (message !== undefined) best = { message, sequence };
    return message !== undefined;
  };
  for (let size = Math.ceil(best.sequence.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2))
    for (let at = 0; at < best.sequence.length;) {
      if (best.sequence.length > size && (await isBetter(best.sequence.toSpliced(at, size)))) continue;
      at += size;
    }
  for (let at = 0; at < best.sequence.length; at++)
    for (let part = 0; ;) {
      const parts = withoutAPart(best.sequence[at] as Request);
      const request = parts[part];
      if (!request) break;
      if (!(await isBetter(best.sequence.with(at, request)))) part += 1;
    }
  return best;
}

/** The request without its key, without one of its parameters, without one of the properties of its body. */
function withoutAPart(request: Request): Request[] {
  const { query, body, idempotencyKey } = request;
  const withoutKey = idempotencyKey === undefined ? [] : [{ ...request, idempotencyKey: undefined }];
  const withoutParameter = query.map((_each, at) => ({ ...request, query: query.toSpliced(at, 1) }));
  if (typeof body !== 'object' || body === null) return [...withoutKey, ...withoutParameter];
  const withoutProperty = Object.keys(body).map((name) => {
    const entries = Object.entries(body).filter(([each]) => each !== name);
    return {
      ...request,
      body: Array.isArray(body) ? entries.map(([, value]) => value as unknown) : Object.fromEntries(entries),
    };
  });
  return [...withoutKey, ...withoutParameter, ...withoutProperty];
}
