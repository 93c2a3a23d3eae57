import { memoryLimiter } from '@postroom/limits/memory-limiter';
import { collectionsOf } from '@postroom/mail-store/access';
import { LabelRuleServiceDefinition } from '@postroom/proto/postroom/v1/label_rule';
import { WorkspaceServiceDefinition } from '@postroom/proto/postroom/v1/workspace';
import { createFairLimit } from '@postroom/runtime/fair-limit';
import { timeLimits } from '@postroom/runtime/time-limits';
import { createIdempotencyStore } from '../../../services/gateway/src/guard/idempotency-keys/idempotency-store.ts';
import { answerLate, type Gateway, openExchange, respond } from '../../../services/gateway/src/guard/respond.ts';
import { createKeys } from '../../../services/gateway/src/keys/keys.ts';
import type { Answer } from '../../../services/gateway/src/response/answer.ts';
import { routes } from '../../../services/gateway/src/routes/table.ts';
import { simulatedCollections } from '../world/database.ts';
import type { Process } from '../world/process.ts';
import type { Network } from '../world/rpc.ts';
import type { Web, WebAnswer, WebRequest } from '../world/web.ts';
import type { OpenPod } from './pods.ts';

const MOST_CALLS = 32;
const nobody = async () => ({});

/** Its guards and routes, as public-port.ts puts them together, without sockets and without Redis. */
export const openGateway =
  (web: Web): OpenPod =>
  async (pod, { network }) => {
    const gateway = gatewayOf(pod, network);
    web.serve(pod, (request) => answerInTime(gateway, request));
  };

function gatewayOf(pod: Process, network: Network): Gateway {
  const { context } = pod;
  const { clock, log } = context;
  const workspace = network.connect(WorkspaceServiceDefinition, pod);
  const labelRule = network.connect(LabelRuleServiceDefinition, pod);
  return {
    context,
    keys: createKeys({ workspace, identity: { resolveAccessToken: nobody }, clock, log }),
    limiter: memoryLimiter(clock),
    usage: { note: () => undefined },
    idempotency: createIdempotencyStore(collectionsOf(simulatedCollections(), 'gateway')),
    services: { workspace, labelRule } as Gateway['services'],
    calls: createFairLimit({ total: Infinity, perOwner: MOST_CALLS }),
    mcp: { isCalling: () => false },
    connections: { markAuthenticated: () => undefined },
    proxies: 0,
  } as Partial<Gateway> as Gateway;
}

/** As serve-request.ts does it: a caller is answered in time, whatever goes on. */
function answerInTime(gateway: Gateway, { method, path, headers, body }: WebRequest): Promise<WebAnswer> {
  const endpoint = routes.find((route) => route.method === method && route.path === path) ?? { path: 'unknown' };
  const request = { method, url: path, headers, httpVersion: '1.1', socket: { remoteAddress: '203.0.113.1' } };
  const arrival = { request, response: { headersSent: false }, endpoint, params: {} };
  const exchange = openExchange(arrival as unknown as Parameters<typeof openExchange>[0], gateway);
  exchange.intake = { fault: undefined, receive: async () => Buffer.from(body), release: () => undefined };
  return new Promise((resolve) => {
    const late = setTimeout(() => resolve(toWebAnswer(answerLate(exchange))), timeLimits.answerMs);
    void respond(exchange, gateway).then((answer) => {
      clearTimeout(late);
      resolve(toWebAnswer(answer));
    });
  });
}

const toWebAnswer = ({ status, body, headers = {} }: Answer): WebAnswer => ({
  status,
  body: body?.toString('utf8') ?? '',
  headers,
});
