import { ApiError } from '@postroom/errors/api-error';
import type { ServiceContext } from '@postroom/runtime/service';
import * as openid from 'openid-client';

interface OidcClient {
  issuer: string;
  clientId: string;
  clientSecret: string | undefined;
  /** For people. */
  name: string;
}

/** The secrets of one sign-in, without which nobody finishes it. */
interface OidcSecrets {
  state: string;
  nonce: string;
  codeVerifier: string;
  redirectUri: string;
}

/** The statements of the provider about a person. */
export interface OidcClaims {
  issuer: string;
  subject: string;
  /** Undefined unless the provider says that it has verified the address. */
  verifiedEmail: string | undefined;
}

export interface RelyingParty {
  name: string;
  begin(redirectUri: string): Promise<{ url: string; secrets: OidcSecrets }>;
  finish(query: string, secrets: OidcSecrets): Promise<OidcClaims>;
}

type RelyingPartyContext = Pick<ServiceContext, 'clock' | 'changes' | 'log'>;

/** Providers change their metadata rarely; their keys are fetched again by the library. */
const METADATA_MS = 3_600_000;
const TIMEOUT_S = 5;

/** Signs people in at a provider by the code flow of OpenID Connect, with PKCE, state and nonce. */
export function createRelyingParty(client: OidcClient, context: RelyingPartyContext): RelyingParty {
  const metadata = metadataOf(client, context);
  return {
    name: client.name,

    begin: async (redirectUri) => {
      const configuration = await metadata();
      const state = openid.randomState();
      const nonce = openid.randomNonce();
      const codeVerifier = openid.randomPKCECodeVerifier();
      const url = openid.buildAuthorizationUrl(configuration, {
        redirect_uri: redirectUri,
        scope: 'openid email',
        state,
        nonce,
        code_challenge: await openid.calculatePKCECodeChallenge(codeVerifier),
        code_challenge_method: 'S256',
      });
      return { url: url.href, secrets: { state, nonce, codeVerifier, redirectUri } };
    },

    finish: async (query, { state: expectedState, nonce: expectedNonce, codeVerifier, redirectUri }) => {
      const configuration = await metadata();
      const returnedTo = new URL(redirectUri);
      returnedTo.search = query;
      const checks = { expectedState, expectedNonce, pkceCodeVerifier: codeVerifier, idTokenExpected: true };
      try {
        return await claimsOf(await openid.authorizationCodeGrant(configuration, returnedTo, checks), configuration);
      } catch (error) {
        const reason = reasonOf(error);
        context.log.warn({ reason }, 'the OpenID Connect provider confirms no sign-in; nobody is signed in');
        throw notConfirmed();
      }
    },
  };
}

/** Asks the provider at the first sign-in, so that a provider that is unavailable keeps nothing else from starting. */
function metadataOf(client: OidcClient, { clock, changes, log }: RelyingPartyContext) {
  let { clientSecret } = client;
  let found: { metadata: Promise<openid.Configuration>; until: number } | undefined;
  changes.on('OIDC_CLIENT_SECRET', (changed) => {
    clientSecret = changed;
    found = undefined;
  });
  return (): Promise<openid.Configuration> => {
    if (found && clock.now() < found.until) return found.metadata;
    const metadata = discover({ ...client, clientSecret }).catch((error: unknown) => {
      found = undefined;
      const reason = reasonOf(error);
      log.warn({ reason }, 'the OpenID Connect provider gives no metadata; the next sign-in asks again');
      throw noAnswer(client.name);
    });
    found = { metadata, until: clock.now() + METADATA_MS };
    return metadata;
  };
}

async function discover({ issuer, clientId, clientSecret }: OidcClient): Promise<openid.Configuration> {
  const url = new URL(issuer);
  const isPlain = url.protocol === 'http:';
  const execute = [openid.enableNonRepudiationChecks, ...(isPlain ? [openid.allowInsecureRequests] : [])];
  const way = clientSecret === undefined ? openid.None() : openid.ClientSecretBasic(clientSecret);
  return openid.discovery(url, clientId, clientSecret, way, { execute, timeout: TIMEOUT_S });
}

type Tokens = Awaited<ReturnType<typeof openid.authorizationCodeGrant>>;

/** Many providers name the address in the id token, and others at their endpoint for it alone. */
async function claimsOf(tokens: Tokens, configuration: openid.Configuration): Promise<OidcClaims> {
  const token = tokens.claims();
  if (!token) throw new Error('no id token');
  const { iss: issuer, sub: subject } = token;
  const hasEndpoint = configuration.serverMetadata().userinfo_endpoint !== undefined;
  const isElsewhere = token['email'] === undefined && hasEndpoint;
  const claims = isElsewhere ? await openid.fetchUserInfo(configuration, tokens.access_token, subject) : token;
  const { email, email_verified: isVerified } = claims;
  return { issuer, subject, verifiedEmail: isVerified === true && typeof email === 'string' ? email : undefined };
}

/** The messages of the library can quote tokens and claims; its codes cannot. */
function reasonOf(error: unknown): string {
  const { code, error: said } = (error ?? {}) as { code?: unknown; error?: unknown };
  return [code, said].filter((part) => typeof part === 'string' && /^\w{1,60}$/.test(part)).join(' ') || 'unknown';
}

const notConfirmed = () =>
  new ApiError('SIGN_IN_REFUSED', {
    message: 'The provider did not confirm this sign-in, or it was used already. Start it again on the sign-in page.',
  });

const noAnswer = (name: string) =>
  new ApiError('INTERNAL_ERROR', {
    message: `The sign-in with ${name} cannot be reached now. Try again in a minute, or sign in another way.`,
  });
