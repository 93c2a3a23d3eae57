import { createSecureContext, type SecureContext } from 'node:tls';
import { DELIVERY_LIMIT_MS, isDelivered } from '@postroom/contract/webhook-signature';
import type { DeliveryAttemptPart } from '@postroom/mail-store/documents/webhook';
import { limitInterim, nameInUrl, pinnedClient } from '@postroom/public-http/pinned-client';
import { systemClock } from '@postroom/runtime/clock';
import { within } from '@postroom/runtime/within';
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
  const client = pinnedClient(recipient, { timeoutMs: DELIVERY_LIMIT_MS, secureContext });
  try {
    const headers = { ...request.headers, host: nameInUrl(host) };
    const path = `${url.pathname}${url.search}`;
    const sent = { method: 'POST', path, headers, body: request.body } as const;
    const answer = await client.request({ ...sent, signal, onInfo: limitInterim() });
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
