import type { IncomingMessage } from 'node:http';
import { clientAddress } from '@postroom/runtime/client-address';
import type { Rights, ClientCredentials, GatewayClient, RestAnswer } from '../gateway/gateway-client.ts';
import { hasScope, openTool } from '../tools/catalogue.ts';
import { challenge, type HttpRefusal } from './challenge.ts';

// Anything else is refused here: malformed credentials must not cost anyone a call.
const BEARER = /^Bearer +(?:mk_[A-Za-z0-9]{40}|mt_[A-Za-z0-9_-]{43}) *$/i;

type Admission = { rights: Rights; credentials: ClientCredentials } | { refusal: HttpRefusal };

/** Asks the gateway who calls. It costs no unit and does not count in the minute. */
export async function admit(
  request: IncomingMessage,
  gateway: GatewayClient,
  { metadataUrl, proxies }: { metadataUrl: string; proxies: number },
): Promise<Admission> {
  const { authorization = '' } = request.headers;
  if (!BEARER.test(authorization)) {
    const description = 'Send an API key or an access token: `Authorization: Bearer ...`.';
    const asked = { status: 401, description, scope: 'read', metadataUrl, code: 'INVALID_API_KEY' } as const;
    return { refusal: challenge(authorization === '' ? asked : { ...asked, error: 'invalid_token' }) };
  }
  const credentials = { authorization, clientAddress: clientAddress(request, proxies) };
  const answer = await gateway.call({ method: 'GET', path: '/caller' }, credentials);
  if (answer.status === 200) return { rights: answer.body as Rights, credentials };
  return { refusal: refusalOf(answer, metadataUrl) };
}

function refusalOf({ status, body }: RestAnswer, metadataUrl: string): HttpRefusal {
  const { code, error: description } = body as { code: string; error: string };
  if (status === 401) {
    return challenge({ status, error: 'invalid_token', description, scope: 'read', metadataUrl, code });
  }
  return { status, body: { code, error: description } };
}

/** The calls of tools in a message whose scope is missing: the client can ask for it, and come again. */
export function missingScope(message: unknown, rights: Rights, metadataUrl: string): HttpRefusal | undefined {
  const messages: unknown[] = Array.isArray(message) ? message : [message];
  const lacking = messages.flatMap((each) => {
    const tool = calledTool(each, rights);
    return tool && !hasScope(tool, rights) ? [tool.scope] : [];
  });
  const [needed] = lacking;
  if (!needed) return undefined;
  return challenge({
    status: 403,
    error: 'insufficient_scope',
    description: `This tool needs the scope ${needed}.`,
    // A client replaces its scopes by these, so those that it has are among them.
    scope: [...new Set([...rights.scopes, ...lacking])].join(' '),
    metadataUrl,
    code: 'INSUFFICIENT_SCOPE',
  });
}

function calledTool(message: unknown, rights: Rights) {
  if (typeof message !== 'object' || message === null) return undefined;
  const { method, params } = message as { method?: unknown; params?: { name?: unknown } };
  return method === 'tools/call' ? openTool(String(params?.name), rights) : undefined;
}
