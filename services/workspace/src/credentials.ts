import { secretOf, type Secret } from '@postroom/secrets/secret';

/** What a provider has allowed by OAuth 2: good for access tokens until it is taken back. */
export interface OAuthGrant {
  tokenEndpoint: string;
  clientId: string;
  clientSecret?: Secret | undefined;
  /** Many providers give another with each access token, and take this one no more. */
  refreshToken: Secret;
  scope?: string | undefined;
}

export interface AccessToken {
  token: Secret;
  /** Some time before it expires, so that nobody logs in with one that is about to. */
  renewAt: number;
  expiresAt: number;
}

export interface OAuthCredentials {
  kind: 'oauth';
  grant: OAuthGrant;
  /** Absent before the first. */
  access?: AccessToken | undefined;
}

/** What a mailbox is logged in with. */
export type Credentials = { kind: 'password'; password: Secret } | OAuthCredentials;

interface Plain {
  /** Alone in what older versions sealed. */
  password?: string;
  grant?: Omit<OAuthGrant, 'clientSecret' | 'refreshToken'> & { clientSecret?: string; refreshToken: string };
  access?: Omit<AccessToken, 'token'> & { token: string };
}

/** As they are sealed: the one place where all of it stands in the clear. */
export function toSealed(credentials: Credentials): Secret {
  if (credentials.kind === 'password') return json({ password: credentials.password.reveal() });
  const { grant, access } = credentials;
  const { clientSecret, refreshToken, ...open } = grant;
  return json({
    grant: {
      ...open,
      refreshToken: refreshToken.reveal(),
      ...(clientSecret && { clientSecret: clientSecret.reveal() }),
    },
    ...(access && { access: { ...access, token: access.token.reveal() } }),
  });
}

export function fromSealed(text: Secret): Credentials {
  const { password, grant, access } = JSON.parse(text.reveal()) as Plain;
  if (!grant) return { kind: 'password', password: secretOf(password ?? '') };
  const { clientSecret, refreshToken, ...open } = grant;
  return {
    kind: 'oauth',
    grant: {
      ...open,
      refreshToken: secretOf(refreshToken),
      ...(clientSecret !== undefined && { clientSecret: secretOf(clientSecret) }),
    },
    ...(access && { access: { ...access, token: secretOf(access.token) } }),
  };
}

const json = (plain: Plain) => secretOf(JSON.stringify(plain));
