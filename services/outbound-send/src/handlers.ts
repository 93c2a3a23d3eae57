import { cancelingHandlers } from './canceling.ts';
import type { Deps, Rpcs } from './deps.ts';
import { draftHandlers } from './drafts.ts';
import { forwardHandlers } from './forwards.ts';
import { replyHandlers } from './replies.ts';
import { sendHandlers } from './sends.ts';
import { tryLoginHandlers } from './try-login.ts';

export function createHandlers(deps: Deps): Rpcs {
  return {
    ...draftHandlers(deps),
    ...sendHandlers(deps),
    ...replyHandlers(deps),
    ...cancelingHandlers(deps),
    ...forwardHandlers(deps),
    ...tryLoginHandlers(),
  };
}
