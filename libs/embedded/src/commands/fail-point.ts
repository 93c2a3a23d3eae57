import type { Reply, Request } from './request.ts';

export async function applyFailPoint(_request: Request): Promise<Reply | 'close' | undefined> {
  return undefined;
}
