import { service } from '@postroom/mcp/service';
import { createServiceContext } from '@postroom/runtime/service-context';
import { announce } from './report.ts';

const [GATEWAY_ADDR = '', MCP_TOKEN = ''] = process.argv.slice(2);
const settings = { HOST: '127.0.0.1', HTTP_PORT: '0', MCP_URL: 'http://127.0.0.1/mcp', GATEWAY_ADDR, MCP_TOKEN };
void service
  .open(service.config.parse(settings), createServiceContext({ name: 'mcp', logLevel: 'silent' }))
  .then(({ port }) => announce({ url: `http://127.0.0.1:${port}/mcp` }));
