import { createSecureContext } from 'node:tls';
import { DELIVERY_LIMIT_MS, isDelivered } from '@postroom/contract/webhook-signature';
import type { DeliveryAttemptPart } from '@postroom/mail-store/documents/webhook';
import { limitInterim, nameInUrl } from '@postroom/public-http/pinned-client';
import { systemClock } from '@postroom/runtime/clock';
import { within } from '@postroom/runtime/within';
import { createEndpointPools, type EndpointPool, type EndpointPools } from './endpoint-pools.ts';
import { faultOf, mayBeOfEarlier } from './fault.ts';

/** A URL, with the addresses of its host. Each address was checked, and a request goes to one of them. */
interface EndpointAddress {
  url: URL;
  host: string;
  addresses: readonly string[];
  port: number;
}

interface DeliveryRequest {
  /** No delivery of another workspace goes over the same connection. */
  workspaceId: string;
  headers: Record<string, string>;
  body: string;
}

type SendResult = Pick<DeliveryAttemptPart, 'status' | 'error'> & { isDelivered: boolean };

export interface EndpointSender {
  /** One POST. `find` names the recipient within the same time. It never throws. */
  send(find: () => Promise<EndpointAddress>, request: DeliveryRequest): Promise<SendResult>;
  close(): void;
}

const MOST_OF_ANSWER = 1_024;

export function createEndpointSender({
  ca,
  ms = DELIVERY_LIMIT_MS,
}: {
  ca?: string | undefined;
  ms?: number;
}): EndpointSender {
  // One for all pools: the authorities are many, and reading them is a large part of a handshake.
  const secureContext = createSecureContext(ca === undefined ? {} : { ca: [ca] });
  const pools = createEndpointPools({ timeoutMs: DELIVERY_LIMIT_MS, secureContext });
  return {
    close: pools.close,
    send: async (find, request) => {
      let status: number | undefined;
      try {
        await within({ ms, clock: systemClock, tooLate: () => new Error('no answer within the time') }, (signal) =>
          post({ find, request, pools, signal, onStatus: (answered) => (status = answered) }),
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
  pools: EndpointPools;
  signal: AbortSignal;
  onStatus: (status: number) => void;
}

async function post({ find, request, pools, signal, onStatus }: Posting): Promise<void> {
  const recipient = await find();
  signal.throwIfAborted();
  const { url, host } = recipient;
  const { workspaceId } = request;
  const headers = { ...request.headers, host: nameInUrl(host) };
  const path = `${url.pathname}${url.search}`;
  const sent = { method: 'POST', path, headers, body: request.body, signal } as const;
  const askOver = async (one: EndpointPool) => {
    const answer = await one.pool.request({ ...sent, onInfo: limitInterim() });
    one.hasAnswered = true;
    return answer;
  };
  const known = pools.to(recipient, workspaceId);
  const { hasAnswered: wasUsed } = known;
  const answer = await askOver(known).catch((error: unknown) => {
    if (!mayBeOfEarlier(error) || !wasUsed) throw error;
    // The other side closed an idle connection at this moment, or its last answer was longer than it said. Neither is a
    // failure to take this delivery.
    return askOver(pools.anew(recipient, workspaceId));
  });
  onStatus(answer.statusCode);
  // It is read to its end or to a bound, so that the other side sees no reset.
  await answer.body.dump({ limit: MOST_OF_ANSWER, signal });
}

function resultOf(status: number): SendResult {
  const isTaken = isDelivered(status);
  return { status, isDelivered: isTaken, error: isTaken ? null : `the endpoint answered ${status}` };
}
