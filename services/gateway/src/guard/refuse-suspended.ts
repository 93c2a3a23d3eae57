import { ApiError } from '@postroom/errors/api-error';
import { callerOf, type Exchange, type Gateway } from './exchange.ts';

/** Refuses a suspended workspace, with its present limits. The refusal is not counted. */
export function refuseSuspended(exchange: Exchange, { limiter }: Gateway): Promise<undefined> | undefined {
  const { isSuspended, workspaceId, allowance } = callerOf(exchange);
  if (!isSuspended) return undefined;
  return limiter.read(workspaceId, allowance).then((verdict) => {
    exchange.verdict = verdict;
    throw new ApiError('WORKSPACE_SUSPENDED');
  });
}
