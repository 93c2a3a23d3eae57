import { parse, serialize } from 'cookie';

const PLAIN_NAME = 'postroom_session';

/** The cookie that holds the token of a session. Browsers keep the name with __Host- for TLS and for one host. */
export interface SessionCookie {
  tokenIn(header: string | undefined): string;
  /** The value of Set-Cookie. */
  set(token: string): string;
  cleared(): string;
}

export function createSessionCookie(isSecure: boolean): SessionCookie {
  const name = isSecure ? `__Host-${PLAIN_NAME}` : PLAIN_NAME;
  const options = { httpOnly: true, sameSite: 'lax', secure: isSecure, path: '/' } as const;
  return {
    tokenIn: (header = '') => parse(header)[name] ?? '',
    // It ends with the browser's session; how long the token is good is up to identity.
    set: (token) => serialize(name, token, options),
    cleared: () => serialize(name, '', { ...options, maxAge: 0 }),
  };
}
