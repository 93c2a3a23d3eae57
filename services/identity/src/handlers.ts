import type { Deps, Rpcs } from './deps.ts';
import { oauthGrantHandlers } from './grants/grants.ts';
import { invitationHandlers, linkHandlers } from './links/links.ts';
import { memberHandlers } from './members/members.ts';
import { passkeyHandlers, passkeySignInHandlers } from './passkeys/passkeys.ts';
import { oauthHandlers } from './oauth/oauth.ts';
import { peopleHandlers } from './people/people.ts';
import { sessionHandlers } from './sessions/sessions.ts';
import { signInHandlers } from './sign-in/sign-in.ts';

export function createHandlers(deps: Deps): Rpcs {
  return {
    ...signInHandlers(deps),
    ...sessionHandlers(deps),
    ...peopleHandlers(deps),
    ...passkeyHandlers(deps),
    ...passkeySignInHandlers(deps),
    ...linkHandlers(deps),
    ...invitationHandlers(deps),
    ...memberHandlers(deps),
    ...oauthGrantHandlers(deps),
    ...oauthHandlers(deps.oauth, deps),
  };
}
