import type { IncomingMessage } from 'node:http';
import { ApiError } from '@postroom/errors/api-error';
import { isRoute, type Exchange, type Gateway } from './exchange.ts';
import { readJson } from '@postroom/http/read-json';

/** Reads the body. A request whose body cannot be read costs its unit too, so the quota refuses it after the charge. */
export async function readBody(exchange: Exchange, gateway: Gateway): Promise<undefined> {
  try {
    await takeIn(exchange, gateway);
  } catch (refusal) {
    exchange.unreadable = refusal;
  } finally {
    exchange.intake?.release();
  }
}

async function takeIn(exchange: Exchange, { context }: Gateway): Promise<void> {
  const { request, response, endpoint, deadline, intake } = exchange;
  refuseOddities(request);
  const wanted = isRoute(endpoint) && endpoint.body !== undefined;
  if (!intake) {
    if (wanted && !endpoint.bodyIsOptional) throw new ApiError('REQUEST_ERROR', { message: 'A JSON body is needed.' });
    return;
  }
  // It comes only now, and only for an acceptable body, so that a client that asks first is refused before it sends it.
  if (request.headers.expect !== undefined && !intake.fault) response.writeContinue();
  const bytes = await intake.receive(deadline - context.clock.now());
  if (!wanted) return;
  if (bytes.length > 0) exchange.body = readJson(bytes, request.headers);
  else if (!endpoint.bodyIsOptional) throw new ApiError('REQUEST_ERROR', { message: 'A JSON body is needed.' });
}

/** Answers that Node would give by itself, with codes that the contract does not have. */
function refuseOddities({ headers, httpVersion }: IncomingMessage): void {
  if (headers.expect !== undefined && headers.expect.toLowerCase() !== '100-continue') {
    throw new ApiError('REQUEST_ERROR', { message: 'This Expect header cannot be met; leave it out.' });
  }
  if ((headers.host === undefined && httpVersion === '1.1') || headers.host?.includes(',')) {
    throw new ApiError('REQUEST_ERROR', { message: 'One Host header is needed.' });
  }
}
