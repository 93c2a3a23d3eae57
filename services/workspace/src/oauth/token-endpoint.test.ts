import type { ServerResponse } from 'node:http';
import { inspect } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { systemClock } from '@postroom/runtime/clock';
import { resultWithin } from '@postroom/runtime/within';
import { secretOf } from '@postroom/secrets/secret';
import { openTokenEndpoint, type TokenEndpoint } from '../../../../test/support/token-endpoint.ts';
import { EndpointFault, exchangeCode, GrantGone, requestTokens } from './token-endpoint.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const LONG_TOKEN = 'eyJhbGciOiJSUzI1NiIsImtpZCI6IjEyMyJ9.canary.abcdefghijklmnop';

let endpoint: TokenEndpoint;
beforeEach(async () => {
  endpoint = await openTokenEndpoint();
});
afterEach(() => endpoint.close());

const ask = (limitMs?: number) =>
  requestTokens(
    {
      tokenEndpoint: endpoint.url,
      clientId: 'client',
      clientSecret: secretOf('canary secret+1'),
      refreshToken: secretOf('refresh-0'),
      scope: 'mail',
    },
    limitMs,
  );
const faultOf = (limitMs?: number) =>
  ask(limitMs).then(
    () => new Error('it answered'),
    (error: unknown) => error as Error,
  );

describe('a token endpoint', () => {
  it('is asked as RFC 6749 has it, and gives an access token and the next refresh token', async () => {
    const answer = await ask();
    expect(answer.accessToken.reveal()).toBe('access-1');
    expect(answer.refreshToken?.reveal()).toBe('refresh-1');
    expect(answer.expiresInMs).toBe(3_600_000);
    expect(Object.fromEntries(endpoint.state.forms[0] ?? [])).toEqual({
      grant_type: 'refresh_token',
      client_id: 'client',
      client_secret: 'canary secret+1',
      refresh_token: 'refresh-0',
      scope: 'mail',
    });
  });

  it('is asked for the tokens of a code with PKCE, and gives scopes and id token, or a fault without the code', async () => {
    const grant = {
      tokenEndpoint: endpoint.url,
      clientId: 'client',
      clientSecret: secretOf('canary secret+1'),
      code: secretOf('canary-code'),
      codeVerifier: secretOf('canary-verifier'),
      redirectUri: 'https://mail.example/back',
    };
    endpoint.say(200, { access_token: 'access-1', refresh_token: 'refresh-1', scope: 'mail', id_token: 'a.b.c' });
    const { scope, idToken } = await exchangeCode(grant);
    expect([scope, idToken?.reveal()]).toEqual(['mail', 'a.b.c']);
    expect(Object.fromEntries(endpoint.state.forms[0] ?? [])).toEqual({
      grant_type: 'authorization_code',
      client_id: 'client',
      client_secret: 'canary secret+1',
      code: 'canary-code',
      code_verifier: 'canary-verifier',
      redirect_uri: 'https://mail.example/back',
    });
    endpoint.say(400, { error: 'invalid_grant', error_description: 'canary-code with canary-verifier' });
    const fault = await exchangeCode(grant).catch((error: unknown) => error as Error);
    expect(fault).toBeInstanceOf(GrantGone);
    expect(inspect(fault)).not.toMatch(/canary/);
  });

  it('that says invalid_grant has taken the grant back', async () => {
    endpoint.say(400, { error: 'invalid_grant', error_description: 'Token has been revoked.' });
    expect(await faultOf()).toBeInstanceOf(GrantGone);
  });

  it.each([
    ['503', 503, { error: 'server_error' }],
    ['invalid_grant with 500', 500, { error: 'invalid_grant' }],
    ['429', 429, { error: 'temporarily_unavailable' }],
    ['invalid_client', 401, { error: 'invalid_client' }],
    ['no access token', 200, { token_type: 'Bearer' }],
    ['a page instead of JSON', 400, '<html>invalid_grant</html>'],
  ])('that says %s says nothing about the grant', async (_what, status, body) => {
    endpoint.say(status, body);
    const fault = await faultOf();
    expect(fault).toBeInstanceOf(EndpointFault);
    expect(fault).not.toBeInstanceOf(GrantGone);
  });

  it('says itself how long it wants to be left alone', async () => {
    endpoint.say(429, { error: 'slow_down' }, { 'retry-after': '7' });
    expect(await faultOf()).toMatchObject({ retryAfterMs: 7_000 });
  });

  it('is not waited for without end, nor followed elsewhere', async () => {
    endpoint.state.answer = () => undefined;
    expect(await faultOf(50)).toMatchObject({ message: 'the token endpoint did not answer in time' });
    endpoint.say(307, {}, { location: endpoint.url });
    expect(await faultOf()).toBeInstanceOf(EndpointFault);
    expect(endpoint.state.calls).toBe(2);
  });

  it('is not waited for without end where its answer drips, also when memory is collected meanwhile', async () => {
    const drip = (response: ServerResponse) => void (response.writableEnded || response.write(' '));
    const timers: NodeJS.Timeout[] = [setInterval(collectGarbage, 50)];
    endpoint.state.answer = (response) => {
      response.writeHead(200);
      timers.push(setInterval(() => drip(response), 50));
    };
    const fault = await resultWithin({ ms: 3_000, clock: systemClock }, faultOf(500));
    timers.forEach(clearInterval);
    expect(fault).toMatchObject({ message: 'the token endpoint did not answer in time' });
  });

  it('is read up to a bound, however much it sends', async () => {
    let sent = 0;
    endpoint.state.answer = (response) => {
      const more = () => {
        sent += 1;
        if (response.write('x'.repeat(65_536))) setImmediate(more);
      };
      response.writeHead(200).on('drain', more);
      more();
    };
    expect(await faultOf()).toMatchObject({ message: 'the token endpoint answered without an access token' });
    expect(sent).toBeLessThan(1_000);
  });

  it('is out of reach where nothing listens', async () => {
    await endpoint.close();
    expect(await faultOf()).toMatchObject({ message: 'the token endpoint is out of reach' });
  });

  it('that repeats secrets has them taken out of what is said', async () => {
    const echoed = `canary secret+1 ${encodeURIComponent('canary secret+1')} refresh-0 ${LONG_TOKEN}`;
    endpoint.say(400, { error: 'invalid_request', error_description: `bad request: ${echoed}` });
    const fault = await faultOf();
    expect(inspect(fault, { depth: 9 })).not.toMatch(/canary|refresh-0/);
    expect(fault.message).toContain('invalid_request bad request');
  });
});
