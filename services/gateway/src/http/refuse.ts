import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { ApiError } from '@postroom/errors/api-error';
import type { ServiceContext } from '@postroom/runtime/service';
import type { Observe } from '@postroom/http/observe';
import { errorAnswer } from '../response/answer.ts';
import { abortBody } from './connection/receive-body.ts';
import { linger } from './connection/linger.ts';
import { headOf } from './write-answer.ts';

/** The response that Node keeps on a socket until it is written. */
type HttpSocket = Duplex & { _httpMessage?: { headersSent: boolean } | null };
type Refuse = (socket: HttpSocket, error: ApiError, route: string) => void;

interface BareRefusals {
  /** CONNECT asks for a way to somewhere else: there is nothing here. */
  connect(socket: HttpSocket): void;
  unreadable(error: NodeJS.ErrnoException, socket: HttpSocket): void;
}

/** Answers on a bare socket, where there is no request to answer; in the frame of all others, and as visible as they. */
export function createBareRefusals(context: ServiceContext, observe: Observe): BareRefusals {
  const refuse: Refuse = (socket, error, route) => {
    if (!socket.writable) return void socket.destroy();
    // The answer before it is on its way, and is the last.
    if (socket._httpMessage) return linger(socket.end(), () => socket.destroy());
    const startedAt = performance.now();
    const requestId = context.ids('req');
    const answer = errorAnswer(error);
    const head = [`HTTP/1.1 ${answer.status} ${STATUS_CODES[answer.status]}`, `Date: ${new Date().toUTCString()}`];
    const fields = headOf(answer, { requestId, closes: true });
    for (let at = 0; at < fields.length; at += 2) head.push(`${fields[at]}: ${fields[at + 1]}`);
    socket.end(Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), answer.body ?? Buffer.alloc(0)]));
    linger(socket, () => socket.destroy());
    observe({ route, method: 'other', requestId }, answer.status, startedAt);
  };

  // A request that is being answered may have been authenticated: it is refused on its own way, with its headers.
  const refuseAfterAnswer: Refuse = (socket, error, route) => {
    if (socket._httpMessage?.headersSent === false) abortBody(socket, error);
    else refuse(socket, error, route);
  };

  return {
    connect: (socket) => {
      // Node has let go of it, and of its errors.
      socket.on('error', () => undefined);
      refuseAfterAnswer(socket, new ApiError('NOT_FOUND'), 'unknown');
    },
    unreadable: (error, socket) => refuseAfterAnswer(socket, refusalOf(error), 'unreadable'),
  };
}

function refusalOf({ code }: NodeJS.ErrnoException): ApiError {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return new ApiError('QUERY_TIMEOUT', { message: 'The request did not arrive in time.' });
  }
  return new ApiError('REQUEST_ERROR', {
    message: 'This is not a request that HTTP allows, or its head is too large.',
  });
}
