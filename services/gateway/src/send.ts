import type { IncomingMessage, ServerResponse } from 'node:http';
import { catalogue } from '@postroom/errors/catalogue';
import type { Verdict } from '@postroom/limits/limiter';
import type { Readiness } from '@postroom/runtime/readiness';
import { write, type Answer } from './answer.ts';
import type { Connections } from './http/connections.ts';
import { isStillSending, linger } from './http/linger.ts';

export interface Recipient {
  request: IncomingMessage;
  response: ServerResponse;
  requestId: string;
  verdict?: Verdict | undefined;
}

/** Writes an answer, and ends the connection with it where it must end. */
export type Send = (to: Recipient, answer: Answer) => void;

export function createSend(readiness: Readiness, connections: Pick<Connections, 'owes'>): Send {
  let draining = false;
  readiness.onDrain(() => (draining = true));
  return ({ request, response, requestId, verdict }, answer) => {
    const stays = isStillSending(request, answer.status === catalogue.QUERY_TIMEOUT.http);
    write(response, answer, { requestId, verdict, closes: draining || stays, stays });
    if (stays) linger(request.socket, () => response.end());
    connections.owes(request.socket, response);
  };
}
