import { generateKeyPairSync } from 'node:crypto';
import { SCOPES } from '@postroom/contract/lists';
import type { Configuration } from 'oidc-provider';
// The entry of the library warns on Node 20, whose release it does not test; our tests do.
import { InvalidTarget } from 'oidc-provider/lib/helpers/errors.js';
import { base, Check, Prompt } from 'oidc-provider/lib/helpers/interaction_policy/index.js';
import { Provider } from 'oidc-provider/lib/provider.js';
import { type AdapterDeps, createAdapter } from './adapter.ts';
import type { FetchDocument } from '../client-documents/client-documents.ts';

const HOUR_S = 3_600;
const DAY_S = 24 * HOUR_S;
/** A person confirms a client again after this time. */
export const GRANT_DAYS = 365;

export interface ProviderSettings {
  issuer: string;
  /** The address of the MCP server, the one resource that tokens are for. */
  resource: string;
  fetchDocument: FetchDocument;
}

export const CONSENT_PATH = '/oauth/consent';

/** The authorization server of RFC 6749 and its companions. OpenID Connect is left out: clients learn nothing of people. */
export function createProvider(settings: ProviderSettings, deps: AdapterDeps): Provider {
  const { issuer, resource } = settings;
  const provider = new Provider(issuer, {
    adapter: (kind) => createAdapter(kind, deps),
    ...protocolOf(resource, settings),
    ...lifetimes,
    interactions: { url: (_context, { uid }) => `${CONSENT_PATH}/${uid}`, policy: alwaysAsk() },
    loadExistingGrant: async ({ oidc }) => {
      const grantId = oidc.result?.consent?.grantId;
      return grantId === undefined ? undefined : provider.Grant.find(grantId);
    },
    findAccount: (_context, personId) => ({ accountId: personId, claims: () => ({ sub: personId }) }),
    cookies: { long: { httpOnly: true, sameSite: 'lax', path: '/oauth' }, short: { httpOnly: true, sameSite: 'lax' } },
    // Nothing is signed: this key only keeps the library from using the one that it ships.
    jwks: { keys: [generateKeyPairSync('rsa', { modulusLength: 2_048 }).privateKey.export({ format: 'jwk' })] },
    renderError: (context, { error, error_description: description }) => {
      context.type = 'text/plain';
      context.body = `${error}: ${description ?? 'the request is not valid'}\n`;
    },
  });
  provider.proxy = true;
  // The gateway tells access tokens from API keys by their first letters.
  const { generateTokenId } = provider.AccessToken.prototype as unknown as { generateTokenId(): string };
  Object.assign(provider.AccessToken.prototype, {
    generateTokenId(this: object) {
      return `mt_${generateTokenId.call(this)}`;
    },
  });
  return provider;
}

function protocolOf(resource: string, { fetchDocument }: ProviderSettings): Configuration {
  const scope = SCOPES.join(' ');
  const server = { scope, audience: resource, accessTokenFormat: 'opaque', accessTokenTTL: HOUR_S } as const;
  return {
    scopes: [...SCOPES],
    responseTypes: ['code'],
    clientAuthMethods: ['none'],
    clientDefaults: {
      // Programs return to an address of their own computer, which only native clients may name.
      application_type: 'native',
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
    },
    pkce: { required: () => true },
    issueRefreshToken: () => true,
    rotateRefreshToken: true,
    revokeGrantPolicy: () => true,
    expiresWithSession: () => false,
    routes: {
      authorization: '/oauth/authorize',
      token: '/oauth/token',
      revocation: '/oauth/revoke',
      registration: '/oauth/register',
      jwks: '/oauth/jwks',
      end_session: '/oauth/end',
    },
    clientBasedCORS: () => true,
    fetch: fetchDocument,
    features: {
      devInteractions: { enabled: false },
      userinfo: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      claimsParameter: { enabled: false },
      dPoP: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      revocation: { enabled: true, allowedPolicy: (_context, client, token) => token.clientId === client.clientId },
      registration: { enabled: true, issueRegistrationAccessToken: false },
      clientIdMetadataDocument: { enabled: true, ack: 'draft-02' },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => resource,
        useGrantedResource: () => true,
        getResourceServerInfo: (_context, indicator) => {
          if (indicator !== resource) throw new InvalidTarget('this server issues tokens for its MCP server alone');
          return server;
        },
      },
    } as Configuration['features'],
  };
}

const lifetimes: Configuration = {
  ttl: {
    AccessToken: HOUR_S,
    AuthorizationCode: 60,
    Grant: GRANT_DAYS * DAY_S,
    Interaction: HOUR_S,
    RefreshToken: 90 * DAY_S,
    Session: HOUR_S,
  },
};

/** A person is asked each time: no earlier consent stands in for another one. */
function alwaysAsk() {
  const policy = base();
  policy.clear();
  const ask = new Check('consent_each_time', 'a person has to agree', ({ oidc }) => !oidc.result?.consent);
  policy.add(new Prompt({ name: 'consent', requestable: true }, ask));
  return policy;
}
