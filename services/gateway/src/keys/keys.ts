import { ApiError } from '@postroom/errors/api-error';
import type { Clock } from '@postroom/runtime/clock';
import { callerFrom, type Caller, type Known } from './caller.ts';
import { createKeyDirectory, type KeyDirectoryDeps } from './key-directory.ts';

export type { Caller } from './caller.ts';

export interface ApiKeys {
  /** The caller whose key has this hash, or a 401. An answer from the cache needs no promise. */
  callerOf(secretHash: string, requestId: string): Promise<Caller> | Caller;
}

export function createKeys(deps: KeyDirectoryDeps): ApiKeys {
  const directory = createKeyDirectory(deps);
  return {
    callerOf: (secretHash, requestId) => {
      const found = directory.resolve(secretHash, requestId);
      return found instanceof Promise ? found.then((known) => admit(known, deps.clock)) : admit(found, deps.clock);
    },
  };
}

function admit(known: Known | undefined, clock: Clock): Caller {
  if (!known?.key || !known.workspace) throw new ApiError('INVALID_API_KEY');
  const { key, workspace } = known;
  const now = clock.now();
  if (key.revokedAt !== undefined) throw new ApiError('API_KEY_REVOKED');
  if (key.expiresAt !== undefined && Date.parse(key.expiresAt) <= now) {
    throw new ApiError('API_KEY_EXPIRED', { details: { expiredAt: key.expiresAt } });
  }
  return callerFrom(key, workspace, now);
}
