import type { Deps, OperatorRpcs, Rpcs } from './deps.ts';
import { draftHandlers } from './drafts.ts';
import { forwardHandlers } from './forwards.ts';
import { replyHandlers } from './replies.ts';
import { sendHandlers } from './sends.ts';
import { settlingHandlers } from './settling.ts';
import { tryLoginHandlers } from './try-login.ts';

export function createHandlers(deps: Deps): { handlers: Rpcs; operatorHandlers: OperatorRpcs } {
  const handlers: Rpcs = {
    ...draftHandlers(deps),
    ...sendHandlers(deps),
    ...replyHandlers(deps),
    ...forwardHandlers(deps),
    ...tryLoginHandlers(),
  };
  return { handlers, operatorHandlers: settlingHandlers(deps) };
}
