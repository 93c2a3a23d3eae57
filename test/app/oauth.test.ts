import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { IdentityServiceDefinition, type OAuthRequest } from '@postroom/proto/postroom/v1/identity';
import { connect } from '@postroom/rpc/connect';
import { createServiceContext } from '@postroom/runtime/service-context';
import { type AppPeople, openAppPeople } from '../support/app-client.ts';
import { oauthClient, resolve } from '../support/oauth-client.ts';
import { useStack } from '../support/use-stack.ts';

const stack = useStack({ beside: ['app'] });
const context = createServiceContext({ name: 'test', logLevel: 'silent' });
let people: AppPeople;
beforeAll(async () => {
  people = await openAppPeople(stack);
});
afterAll(async () => {
  await people.close();
  await context.lifecycle.close();
});

/** Asks the app itself, as browsers and clients do. */
const overHttp = (origin: string) => ({
  answerOAuth: async ({ method, url, headers, body }: OAuthRequest) => {
    const response = await fetch(`${origin}${url}`, {
      method,
      headers: headers.map(({ name, value }): [string, string] => [name, value]),
      redirect: 'manual',
      ...(method === 'GET' ? {} : { body: Buffer.from(body) }),
    });
    const named = [...response.headers].map(([name, value]) => ({ name, value }));
    return { status: response.status, headers: named, body: Buffer.from(await response.arrayBuffer()) };
  },
});

it('lets a client in through the app, by the session of the person there', async () => {
  const { id } = await stack.workspace();
  const owner = await people.joined(id, 'owner');
  const issuer = new URL(stack.appUrl).origin;
  const token = owner.cookie.slice(owner.cookie.indexOf('=') + 1);
  const client = oauthClient(overHttp(issuer), token, { issuer, resource: stack.mcpUrl });
  const metadata = (await client.ask('/.well-known/oauth-authorization-server')).json();
  expect(metadata).toMatchObject({ issuer, token_endpoint: `${issuer}/oauth/token` });
  const { access_token } = await client.allow(id, 'drafts');
  const identity = connect(IdentityServiceDefinition, stack.addresses.IDENTITY_ADDR, { context });
  const { grant, resource } = await resolve(identity, access_token);
  expect([grant?.workspaceId, grant?.level, resource]).toEqual([id, 'drafts', stack.mcpUrl]);
  const api = await fetch(`${stack.baseUrl}/labels`, { headers: { authorization: `Bearer ${access_token}` } });
  expect(api.status).toBe(401);
});

it('413 PAYLOAD_TOO_LARGE for a body that no client sends', async () => {
  const issuer = new URL(stack.appUrl).origin;
  const body = 'x'.repeat(70_000);
  const answer = await fetch(`${issuer}/oauth/token`, { method: 'POST', body });
  expect(answer.status).toBe(413);
});
