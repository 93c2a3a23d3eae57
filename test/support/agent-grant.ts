import { IdentityOperatorServiceDefinition, IdentityServiceDefinition } from '@postroom/proto/postroom/v1/identity';
import { connect } from '@postroom/rpc/connect';
import { createServiceContext } from '@postroom/runtime/service-context';
import { visitor } from './identity.ts';
import { oauthClient } from './oauth-client.ts';
import type { TestStack } from './stack.ts';
import type { TestWorkspace } from './workspace.ts';

/** A client that a new owner of the workspace has given this level: its access token, and what ends its grant. */
export async function grantTo(stack: TestStack, workspace: TestWorkspace, level: string) {
  const context = createServiceContext({ name: 'test', logLevel: 'silent' });
  const { IDENTITY_ADDR, IDENTITY_OPERATOR_ADDR } = stack.addresses;
  const people = connect(IdentityServiceDefinition, IDENTITY_ADDR, { context });
  const operators = connect(IdentityOperatorServiceDefinition, IDENTITY_OPERATOR_ADDR, {
    context,
    token: stack.operatorToken,
  });
  const email = `owner@${workspace.id.slice(-6).toLowerCase()}.example`;
  const { token } = await operators.invitePerson({ workspaceId: workspace.id, email, role: 'owner' }, {});
  const signedIn = await people.acceptLink({ token, visitor }, {});
  const client = oauthClient(people as never, signedIn.token);
  const id = String((await client.register())['client_id']);
  const { path } = await client.begin(id, { resource: stack.mcpUrl });
  const back = await client.finish(await client.decide(path, { decision: 'allow', workspace: workspace.id, level }));
  const tokens = await client.exchange(id, back.searchParams.get('code') ?? '', { resource: stack.mcpUrl });
  const accessToken = String(tokens.json()['access_token']);
  return {
    accessToken,
    revoke: () => client.revoke(id, accessToken),
    close: () => context.lifecycle.close(),
  };
}
