import { z } from 'zod';
import { CommandRefusal } from '../command/command-deps.ts';

/** The REST API as a caller sees it. */
export interface Api {
  baseUrl: string;
  key: string;
}

/** The API cannot answer now. The same call is right later. */
export class Unavailable extends Error {
  readonly retryAfterMs: number;

  constructor(message: string, retryAfterMs = 0) {
    super(message);
    this.retryAfterMs = retryAfterMs;
  }
}

/** The changes behind the cursor are no longer kept. */
export class Expired extends Error {
  readonly oldestCursor: string;

  constructor(oldestCursor: string) {
    super('the changes since then are no longer kept');
    this.oldestCursor = oldestCursor;
  }
}

const errorBody = z.object({
  code: z.string(),
  error: z.string(),
  details: z.object({ oldestCursor: z.string().optional() }).catch({}).default({}),
});

/** Asks the API, and throws a CommandRefusal where another try has no use. */
export async function ask({ baseUrl, key }: Api, path: string, signal: AbortSignal): Promise<Response> {
  const headers = { authorization: `Bearer ${key}` };
  const response = await fetch(`${baseUrl.replace(/\/$/, '')}${path}`, { headers, signal }).catch((error: unknown) => {
    throw new Unavailable(`the API at ${baseUrl} does not answer (${causeOf(error)})`);
  });
  if (response.ok) return response;
  throw await refusalOf(response, baseUrl);
}

const FROM_HERE = 'give another with --api-key-file or POSTROOM_API_KEY';
const CLOSED =
  'the feed of changes is closed there: start with "npm start -- --open changes", or set FEATURES=changes on the gateway';

/** The codes after which the same call fails again, and what to do about each. */
const FINAL: Readonly<Record<string, string>> = {
  NOT_FOUND: CLOSED,
  INVALID_API_KEY: `the API does not know this key; ${FROM_HERE}`,
  API_KEY_REVOKED: `the key has been revoked; ${FROM_HERE}`,
  API_KEY_EXPIRED: `the key has expired; ${FROM_HERE}`,
  INSUFFICIENT_SCOPE: `the key lacks the read scope; ${FROM_HERE}`,
  WORKSPACE_SUSPENDED: 'the workspace is suspended; "postroom workspace resume" ends that',
  QUOTA_EXCEEDED: 'the monthly allowance of the workspace is used up; wait for the next month, or change the plan',
};

async function refusalOf(response: Response, baseUrl: string): Promise<Error> {
  const text = await response.text().catch(() => '');
  const body = errorBody.safeParse(parsed(text)).data;
  if (!body) return new Unavailable(`${baseUrl} answered ${response.status}, not as the API does; check the address`);
  const final = FINAL[body.code];
  if (final) return new CommandRefusal(final);
  if (body.code === 'CHANGES_EXPIRED' && body.details.oldestCursor) return new Expired(body.details.oldestCursor);
  const seconds = Number(response.headers.get('retry-after') ?? 0);
  return new Unavailable(`the API answered ${body.code}: ${body.error}`, seconds * 1_000 || 0);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** fetch says "fetch failed", and has the reason in the cause. */
export function causeOf(error: unknown): string {
  const cause = (error as { cause?: unknown }).cause ?? error;
  return (cause as NodeJS.ErrnoException).code ?? (cause instanceof Error ? cause.message : String(cause));
}
