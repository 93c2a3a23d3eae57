import { createAuditStore } from '@postroom/mail-store/audit-store';
import { openMailStoreFor } from '@postroom/mail-store/connection';
import { storeSettings } from '@postroom/mail-store/store-fields';
import { IdentityOperatorServiceDefinition, IdentityServiceDefinition } from '@postroom/proto/postroom/v1/identity';
import { audited } from '@postroom/rpc/audited';
import { implement } from '@postroom/rpc/definition';
import { createResolve } from '@postroom/public-http/resolve';
import { openOperatorPort } from '@postroom/rpc/operator-port';
import { serve } from '@postroom/rpc/serve';
import { serverAddress } from '@postroom/rpc/server-fields';
import { defineService, type ServiceContext } from '@postroom/runtime/service';
import { identityAudit, identityOperatorAudit } from './audit/audit.ts';
import { config, type IdentityConfig } from './config.ts';
import type { Deps } from './deps.ts';
import { createHandlers, createOperatorHandlers } from './handlers.ts';
import { createGrantStore } from './grants/grant-store.ts';
import { createGrantFinder } from './grants/token-grant-store.ts';
import { createInvitationStore } from './invitations/invitation-store.ts';
import { createLinkStore } from './invitations/link-store.ts';
import { createMemberStore, createPersonalStore } from './members/member-store.ts';
import { createFetchDocument } from './client-documents/client-documents.ts';
import type { ProviderSettings } from './oauth/oauth.ts';
import { createRelyingParty } from './oidc/oidc.ts';
import { createOidcStore } from './oidc/oidc-store.ts';
import { createRecordStore } from './oauth/record-store.ts';
import { createRegistrationLimit } from './registrations/registrations.ts';
import { createPasswords } from './passwords/passwords.ts';
import { createPasskeyStore } from './passkeys/passkey-store.ts';
import { createPersonStore } from './people/person-store.ts';
import { createSessionStore } from './sessions/session-store.ts';
import { createSignInLog } from './sign-in-log/sign-in-log.ts';
import { createAttemptStore } from './sign-in-limits/attempt-store.ts';
import { createSignInLimits } from './sign-in-limits/sign-in-limits.ts';

export const service = defineService({
  name: 'identity',
  config,
  async open(settings, context) {
    const { collections } = await openMailStoreFor('identity', storeSettings(settings), context);
    const trail = createAuditStore(collections, context.clock);
    const people = createPersonStore(collections);
    const personal = createPersonalStore(collections);
    const attempts = createAttemptStore(collections);
    const deps: Deps = {
      context,
      trail,
      people,
      members: createMemberStore(collections),
      personal,
      signInLog: createSignInLog({ trail, people, personal, context }),
      sessions: createSessionStore(collections),
      invitations: createInvitationStore(collections),
      links: createLinkStore(collections),
      passkeys: createPasskeyStore(collections),
      passwords: createPasswords({ cost: settings.PASSWORD_COST }),
      limits: createSignInLimits(attempts, context.clock),
      grants: createGrantStore(collections),
      finder: createGrantFinder(collections),
      records: createRecordStore(collections),
      registrations: createRegistrationLimit(attempts, context.clock),
      oauth: oauthSettings(settings),
      oidc: relyingParty(settings, context),
      oidcStore: createOidcStore(collections),
    };
    const operators = implement(
      IdentityOperatorServiceDefinition,
      audited<IdentityOperatorServiceDefinition>(createOperatorHandlers(deps), identityOperatorAudit(deps), trail),
    );
    const operatorPort = await openOperatorPort(settings, operators, context);
    const handlers = audited<IdentityServiceDefinition>(createHandlers(deps), identityAudit(deps), trail);
    const services = [implement(IdentityServiceDefinition, handlers)];
    const { port } = await serve({ address: serverAddress(settings), services, context });
    return { port, operatorPort };
  },
});

function oauthSettings({ OAUTH_ISSUER, MCP_URL }: IdentityConfig): ProviderSettings | undefined {
  if (OAUTH_ISSUER === undefined || MCP_URL === undefined) return undefined;
  const fetchDocument = createFetchDocument({ resolve: createResolve({ routes: new Map() }), isRouted: () => false });
  return { issuer: new URL(OAUTH_ISSUER).origin, resource: MCP_URL, fetchDocument };
}

function relyingParty(
  { OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET, OIDC_NAME }: IdentityConfig,
  context: ServiceContext,
) {
  if (OIDC_ISSUER === undefined || OIDC_CLIENT_ID === undefined) return undefined;
  const client = { issuer: OIDC_ISSUER, clientId: OIDC_CLIENT_ID, clientSecret: OIDC_CLIENT_SECRET, name: OIDC_NAME };
  return createRelyingParty(client, context);
}
