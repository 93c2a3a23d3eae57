import type { IncomingMessage } from 'node:http';
import { bounds } from '@postroom/contract/bounds';
import { ApiError } from '@postroom/errors/api-error';
import { isRoute, type Exchange, type Gateway } from '../exchange.ts';
import { receive } from '../http/receive.ts';
import { readJson } from '../read-json.ts';

/** Takes the body in. What cannot be read has still been asked, so it is refused by the quota, which charges it. */
export async function readBody(exchange: Exchange, gateway: Gateway): Promise<undefined> {
  try {
    await takeIn(exchange, gateway);
  } catch (refusal) {
    exchange.unreadable = refusal;
  }
}

async function takeIn(exchange: Exchange, { context }: Gateway): Promise<void> {
  const { request, response, endpoint, deadline } = exchange;
  refuseOddities(request);
  const wanted = isRoute(endpoint) && endpoint.body !== undefined;
  if (!hasBody(request)) {
    if (wanted && !endpoint.bodyIsOptional) throw new ApiError('REQUEST_ERROR', { message: 'A JSON body is needed.' });
    return;
  }
  if (Number(request.headers['content-length'] ?? 0) > bounds.request.bodyBytes)
    throw new ApiError('PAYLOAD_TOO_LARGE');
  // Only now, so that whoever asks first is refused before sending anything.
  if (request.headers.expect !== undefined) response.writeContinue();
  const bytes = await receive(request, deadline - context.clock.now());
  if (!wanted) return;
  if (bytes.length > 0) exchange.body = readJson(bytes, request.headers);
  else if (!endpoint.bodyIsOptional) throw new ApiError('REQUEST_ERROR', { message: 'A JSON body is needed.' });
}

export function hasBody({ headers }: IncomingMessage): boolean {
  if (headers['transfer-encoding'] !== undefined) return true;
  const length = headers['content-length'];
  return length !== undefined && length !== '0';
}

/** What the server would have answered by itself, with codes that the contract does not have. */
function refuseOddities({ headers, httpVersion }: IncomingMessage): void {
  if (headers.expect !== undefined && headers.expect.toLowerCase() !== '100-continue') {
    throw new ApiError('REQUEST_ERROR', { message: 'This Expect header cannot be met; leave it out.' });
  }
  if (headers.host === undefined && httpVersion === '1.1') {
    throw new ApiError('REQUEST_ERROR', { message: 'A Host header is needed.' });
  }
}
