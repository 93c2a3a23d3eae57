import { defineService } from '@postroom/runtime/service';
import { config } from './config.ts';
import { createGatewayClient } from './gateway/gateway-client.ts';
import { openHttpServer } from './http/http-server.ts';
import { createProtocol } from './protocol/protocol.ts';

export const service = defineService({
  name: 'mcp',
  config,
  async open(settings, context) {
    const gateway = createGatewayClient(settings, context);
    const protocol = createProtocol({ context, gateway });
    context.lifecycle.add('protocol', () => protocol.close());
    return { port: await openHttpServer(settings, { context, gateway, protocol }) };
  },
});
