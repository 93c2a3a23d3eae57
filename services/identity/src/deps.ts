import type { IdentityServiceDefinition } from '@postroom/proto/postroom/v1/identity';
import type { Handlers } from '@postroom/rpc/definition';
import type { LinkDeps } from './links/links.ts';
import type { MemberDeps } from './members/members.ts';
import type { PasskeyDeps } from './passkeys/passkeys.ts';

export type Rpcs = Handlers<IdentityServiceDefinition>;

/** The dependencies of the handlers of this service. */
export interface Deps extends LinkDeps, PasskeyDeps {
  people: LinkDeps['people'] & MemberDeps['people'];
}
