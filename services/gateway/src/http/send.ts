import type { IncomingMessage, ServerResponse } from 'node:http';
import { catalogue } from '@postroom/errors/catalogue';
import type { LimitDecision } from '@postroom/limits/limiter';
import type { Readiness } from '@postroom/runtime/readiness';
import type { Answer } from '../response/answer.ts';
import type { Connections } from './connection/connections.ts';
import { isStillSending, linger } from './connection/linger.ts';
import { write } from './write-answer.ts';

interface Recipient {
  request: IncomingMessage;
  response: ServerResponse;
  requestId: string;
  verdict?: LimitDecision | undefined;
}

/** Writes an answer, and ends the connection with it where it must end. */
export type Send = (to: Recipient, answer: Answer) => void;

export function createSend(readiness: Readiness, connections: Pick<Connections, 'isAuthenticated' | 'hasMore'>): Send {
  let draining = false;
  readiness.onDrain(() => (draining = true));
  return ({ request, response, requestId, verdict }, answer) => {
    const { socket } = request;
    // A connection that has never brought a good key ends with its answer: a stranger neither asks on it for more, nor
    // keeps it open while the answer lies untaken in buffers of the system, which nobody here can see.
    const isLast = draining || !connections.isAuthenticated(socket);
    const isLate = answer.status === catalogue.QUERY_TIMEOUT.http;
    const stays = isStillSending(request, isLate) || (isLast && connections.hasMore(socket));
    // Nothing is asked behind a stream, which is ended to be opened again elsewhere.
    const closes = isLast || stays || answer.stream !== undefined;
    write(response, answer, { requestId, verdict, closes, stays });
    if (stays) linger(socket, () => response.end());
  };
}
