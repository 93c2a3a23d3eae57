import { isIP, type LookupFunction } from 'node:net';
import { createSecureContext, type SecureContext } from 'node:tls';
import { DELIVERY_LIMIT_MS, isDelivered } from '@postroom/contract/webhook';
import type { DeliveryAttemptPart } from '@postroom/mail-store/documents/webhook';
import { systemClock } from '@postroom/runtime/clock';
import { within } from '@postroom/runtime/within';
import { Client } from 'undici';
import { faultOf } from './fault.ts';

/** A URL, with the addresses of its host. Each address was checked, and a request goes to one of them. */
export interface EndpointAddress {
  url: URL;
  host: string;
  addresses: readonly string[];
  port: number;
}

export interface DeliveryRequest {
  headers: Record<string, string>;
  body: string;
}

export type SendResult = Pick<DeliveryAttemptPart, 'status' | 'error'> & { isDelivered: boolean };

export interface EndpointSender {
  /** One POST. `find` names the recipient within the same time. It never throws. */
  send(find: () => Promise<EndpointAddress>, request: DeliveryRequest): Promise<SendResult>;
}

const MOST_OF_ANSWER = 1_024;
const MOST_OF_HEADERS = 16_384;
const NEXT_ADDRESS_MS = 500;

/**
 * Each request has a connection of its own: so the address is checked for each, and no connection that the other side is
 * about to close makes an attempt fail. Redirects are answers like all others, and no proxy is asked.
 */
export function createEndpointSender({
  ca,
  ms = DELIVERY_LIMIT_MS,
}: {
  ca?: string | undefined;
  ms?: number;
}): EndpointSender {
  // One for all connections: the authorities are many, and reading them is a large part of a handshake.
  const secureContext = createSecureContext(ca === undefined ? {} : { ca: [ca] });
  return {
    send: async (find, request) => {
      let status: number | undefined;
      try {
        await within({ ms, clock: systemClock, tooLate: () => new Error('no answer within the time') }, (signal) =>
          post({ find, request, secureContext, signal, onStatus: (answered) => (status = answered) }),
        );
      } catch (error) {
        // The answer counts as it begins, however its rest goes on.
        if (status === undefined) return { status: null, isDelivered: false, error: faultOf(error) };
      }
      return resultOf(status ?? 0);
    },
  };
}

interface Posting {
  find: () => Promise<EndpointAddress>;
  request: DeliveryRequest;
  secureContext: SecureContext;
  signal: AbortSignal;
  onStatus: (status: number) => void;
}

async function post({ find, request, secureContext, signal, onStatus }: Posting): Promise<void> {
  const recipient = await find();
  signal.throwIfAborted();
  const { url, host } = recipient;
  const client = clientFor(recipient, secureContext);
  try {
    const headers = { ...request.headers, host: isIP(host) === 6 ? `[${host}]` : host };
    const path = `${url.pathname}${url.search}`;
    const answer = await client.request({ method: 'POST', path, headers, body: request.body, signal });
    onStatus(answer.statusCode);
    // It is read to its end or to a bound, so that the other side sees no reset.
    await answer.body.dump({ limit: MOST_OF_ANSWER, signal });
  } finally {
    await client.destroy();
  }
}

function resultOf(status: number): SendResult {
  const isTaken = isDelivered(status);
  return { status, isDelivered: isTaken, error: isTaken ? null : `the endpoint answered ${status}` };
}

function clientFor({ host, addresses, port }: EndpointAddress, secureContext: SecureContext): Client {
  const hosts = addresses.map((address) => ({ address, family: isIP(address) }));
  // The name is not asked for again: the connection goes to what was checked. A literal address is never looked up at all.
  const lookup: LookupFunction = (_name, { all }, done) => {
    const [first] = hosts;
    if (all) done(null, hosts);
    else done(null, first?.address ?? '', first?.family);
  };
  const name = isIP(host) === 6 ? `[${host}]` : host;
  return new Client(`https://${name}:${port}`, {
    maxHeaderSize: MOST_OF_HEADERS,
    pipelining: 1,
    connect: {
      lookup,
      rejectUnauthorized: true,
      timeout: DELIVERY_LIMIT_MS,
      autoSelectFamily: hosts.length > 1,
      autoSelectFamilyAttemptTimeout: NEXT_ADDRESS_MS,
      secureContext,
    },
  });
}
