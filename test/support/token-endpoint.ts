import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type TokenEndpoint = Awaited<ReturnType<typeof openTokenEndpoint>>;

/**
 * A token endpoint that gives another refresh token with each access token, and takes back the whole grant when one is
 * shown a second time, as the strictest providers do.
 */
export async function openTokenEndpoint() {
  const state = {
    refreshToken: 'refresh-0',
    calls: 0,
    /** Every form that came in. */
    forms: [] as URLSearchParams[],
    isRevoked: false,
    expiresIn: 3_600,
    /** Answers in place of the endpoint where it is set. */
    answer: undefined as ((response: ServerResponse) => void) | undefined,
  };

  const grant = (form: URLSearchParams): [number, object] => {
    if (state.isRevoked || form.get('refresh_token') !== state.refreshToken) {
      state.isRevoked = true;
      return [400, { error: 'invalid_grant', error_description: 'Token has been expired or revoked.' }];
    }
    state.refreshToken = `refresh-${state.calls}`;
    const tokens = { access_token: `access-${state.calls}`, refresh_token: state.refreshToken };
    return [200, { ...tokens, token_type: 'Bearer', expires_in: state.expiresIn }];
  };

  const server = createServer((request, response) => {
    void (async () => {
      const pieces: Buffer[] = [];
      for await (const piece of request) pieces.push(piece as Buffer);
      const form = new URLSearchParams(Buffer.concat(pieces).toString());
      state.calls += 1;
      state.forms.push(form);
      if (state.answer) return state.answer(response);
      const [status, body] = grant(form);
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    })();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/token`;
  return {
    state,
    url,
    grant: { tokenEndpoint: url, clientId: 'client', clientSecret: 'canary-client-secret', refreshToken: 'refresh-0' },
    say: (status: number, body: unknown, headers: Record<string, string> = {}) => {
      state.answer = (response) => response.writeHead(status, headers).end(JSON.stringify(body));
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
