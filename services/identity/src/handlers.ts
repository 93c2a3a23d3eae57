import type { IdentityOperatorServiceDefinition } from '@postroom/proto/postroom/v1/identity';
import type { Handlers } from '@postroom/rpc/definition';
import type { Deps, Rpcs } from './deps.ts';
import { grantOperatorHandlers, oauthGrantHandlers } from './grants/grants.ts';
import { invitationHandlers, linkHandlers, operatorHandlers } from './invitations/invitations.ts';
import { memberHandlers } from './members/members.ts';
import { oidcHandlers } from './oidc/oidc.ts';
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
    ...oidcHandlers(deps.oidc, deps),
    ...linkHandlers(deps),
    ...invitationHandlers(deps),
    ...memberHandlers(deps),
    ...oauthGrantHandlers(deps),
    ...oauthHandlers(deps.oauth, deps),
  };
}

/** The calls of operators, on the admin API. */
export function createOperatorHandlers(deps: Deps): Handlers<IdentityOperatorServiceDefinition> {
  return { ...operatorHandlers(deps), ...grantOperatorHandlers(deps) };
}
