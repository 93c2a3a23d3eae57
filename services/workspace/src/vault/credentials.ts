import { secretOf, type Secret } from '@postroom/secrets/secret';

/** An OAuth 2 grant of a provider. It gives access tokens until it is revoked. */
export interface OAuthGrant {
  tokenEndpoint: string;
  clientId: string;
  clientSecret?: Secret | undefined;
  /** Many providers give a new one with each access token, and then refuse this one. */
  refreshToken: Secret;
  scope?: string | undefined;
}

export interface AccessToken {
  token: Secret;
  /** A moment before the expiry, so that nobody logs in with a token that is about to expire. */
  renewAt: number;
  expiresAt: number;
}

export interface OAuthCredentials {
  kind: 'oauth';
  grant: OAuthGrant;
  /** Absent before the first. */
  access?: AccessToken | undefined;
}

/** The credentials of a mailbox. */
export type Credentials = { kind: 'password'; password: Secret } | OAuthCredentials;

interface Plain {
  /** The only field that older versions sealed. */
  password?: string;
  grant?: Omit<OAuthGrant, 'clientSecret' | 'refreshToken'> & { clientSecret?: string; refreshToken: string };
  access?: Omit<AccessToken, 'token'> & { token: string };
}

/** The plain text that is sealed. It exists only here. */
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
