import { openStack } from '@postroom/local/stack';
import { WorkspaceOperatorServiceDefinition } from '@postroom/proto/postroom/v1/workspace';
import { connect } from '@postroom/rpc/connect';
import { createServiceContext } from '@postroom/runtime/service-context';
import { announce } from './report.ts';

const [mongodbUri = '', workspaces = '1', MCP_TOKEN = ''] = process.argv.slice(2);

void open();

/** The API without its MCP server, and a key for each of so many workspaces of the Premium plan. */
async function open(): Promise<void> {
  const stack = await openStack({ mongodbUri, logLevel: 'silent', without: ['mcp'], variables: { MCP_TOKEN } });
  const context = createServiceContext({ name: 'bench', logLevel: 'silent' });
  const { WORKSPACE_OPERATOR_ADDR, GATEWAY_ADDR } = stack.addresses;
  const operators = connect(WorkspaceOperatorServiceDefinition, WORKSPACE_OPERATOR_ADDR, {
    context,
    token: stack.operatorToken,
  });
  const createKey = async () => {
    const { id } = await operators.createWorkspace({ name: 'Bench', plan: 'premium' }, {});
    const key = { workspaceId: id, name: 'bench', scopes: ['read'], allowOutboundSend: false, expiresAt: undefined };
    return (await operators.createKey(key, {})).secret;
  };
  const keys: string[] = [];
  while (keys.length < Number(workspaces)) keys.push(await createKey());
  announce({ gateway: GATEWAY_ADDR, baseUrl: stack.baseUrl, keys: keys.join(' ') });
}
