import { ApiError } from '@postroom/errors/api-error';
import { callerOf, type Exchange, type Gateway } from '../exchange.ts';

/** A suspended workspace is told so, with its limits as they stand: the refusal itself counts nowhere. */
export function refuseSuspended(exchange: Exchange, { limiter }: Gateway): Promise<undefined> | undefined {
  const { isSuspended, workspaceId, allowance } = callerOf(exchange);
  if (!isSuspended) return undefined;
  return limiter.read(workspaceId, allowance).then((verdict) => {
    exchange.verdict = verdict;
    throw new ApiError('WORKSPACE_SUSPENDED');
  });
}
