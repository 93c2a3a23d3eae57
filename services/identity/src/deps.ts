import type { IdentityServiceDefinition } from '@postroom/proto/postroom/v1/identity';
import type { Handlers } from '@postroom/rpc/definition';
import type { OAuthGrantDeps } from './grants/grants.ts';
import type { LinkDeps } from './invitations/invitations.ts';
import type { MemberDeps } from './members/members.ts';
import type { OidcDeps, RelyingParty } from './oidc/oidc.ts';
import type { PasskeyDeps } from './passkeys/passkeys.ts';
import type { OAuthDeps, ProviderSettings } from './oauth/oauth.ts';

export type Rpcs = Handlers<IdentityServiceDefinition>;

/** The dependencies of the handlers of this service. */
export interface Deps extends LinkDeps, OidcDeps, PasskeyDeps, OAuthGrantDeps, OAuthDeps {
  context: OAuthDeps['context'];
  members: LinkDeps['members'];
  /** Undefined where no authorization server is configured. */
  oauth: ProviderSettings | undefined;
  /** Undefined where no OpenID Connect provider is configured. */
  oidc: RelyingParty | undefined;
  people: LinkDeps['people'] & MemberDeps['people'];
}
