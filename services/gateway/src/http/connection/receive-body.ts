import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { bounds } from '@postroom/contract/bounds';
import { ApiError } from '@postroom/errors/api-error';
import type { Intake } from '../../guard/respond.ts';
import { tooBusy } from '../../response/answer.ts';
import type { BodyMemory } from './body-memory.ts';
import { createGrowingBuffer } from './growing-buffer.ts';
import { stopReading } from './linger.ts';

const MAX_BODY_BYTES = bounds.request.bodyBytes;
/** Taking in a piece costs the same whether it is one byte or a thousand. */
const MOST_PIECES = 8_192;

interface Waiter {
  resolve(bytes: Buffer): void;
  reject(error: ApiError): void;
}

// By their socket, because a fault in the middle of an upload is reported to the socket alone.
const intakes = new WeakMap<Duplex, (error: ApiError) => void>();
const broken = new WeakMap<Duplex, ApiError>();

/** Marks the body as unreadable, and tells a present or later reader. */
export function abortBody(socket: Duplex, error: ApiError): void {
  broken.set(socket, error);
  stopReading(socket);
  intakes.get(socket)?.(error);
}

export function hasBody({ headers }: IncomingMessage): boolean {
  if (headers['transfer-encoding'] !== undefined) return true;
  const length = headers['content-length'];
  return length !== undefined && length !== '0';
}

/**
 * Takes a body into one buffer, at most the contract's bytes. It begins when the request arrives: what is left to wait in
 * the request's own queue lies there in as many objects as its sender made pieces of it.
 */
export function receiveBody(request: IncomingMessage, memory: BodyMemory, isKnown: () => boolean): Intake {
  const { socket, headers } = request;
  let pieces = 0;
  let fault = faultAtOnce(request);
  let waiter: Waiter | undefined;

  const fail = (error: ApiError) => {
    if (fault) return;
    fault = error;
    drop();
    // A body that nobody reads is not parsed.
    if (!request.complete) stopReading(socket);
    waiter?.reject(error);
  };
  const holder = { isKnown, letGo: () => fail(tooBusy()) };
  const most = Math.min(MAX_BODY_BYTES, Number(headers['content-length'] ?? MAX_BODY_BYTES));
  const body = createGrowingBuffer(most, (bytes) => memory.hold(holder, bytes));
  const drop = () => {
    memory.release(holder);
    body.clear();
  };
  const take = (piece: Buffer) => {
    if (fault) return;
    if (body.length + piece.length > MAX_BODY_BYTES) return fail(new ApiError('PAYLOAD_TOO_LARGE'));
    if (++pieces > MOST_PIECES) return fail(unreadable('The body comes in too many pieces.'));
    if (!body.append(piece)) fail(tooBusy());
  };
  const lose = () => !request.complete && fail(unreadable('The body ended too early.'));
  // An error without a listener would end the process.
  request.on('error', lose).on('close', lose);
  if (!fault) begin(request, take, () => waiter?.resolve(body.bytes()), fail);

  return {
    get fault() {
      return fault;
    },
    receive: (limitMs) => {
      if (fault) return Promise.reject(fault);
      if (request.complete && request.readableLength === 0) return Promise.resolve(body.bytes());
      const late = () => fail(new ApiError('QUERY_TIMEOUT', { message: 'The body did not arrive in time.' }));
      const timer = setTimeout(late, Math.max(1, limitMs));
      const arrival = new Promise<Buffer>((resolve, reject) => (waiter = { resolve, reject }));
      return arrival.finally(() => clearTimeout(timer));
    },
    release: () => {
      drop();
      request.off('data', take).resume();
    },
  };
}

function begin(
  request: IncomingMessage,
  take: (piece: Buffer) => void,
  finish: () => void,
  fail: (error: ApiError) => void,
): void {
  request.on('data', take).on('end', finish);
  intakes.set(request.socket, (error) => !request.complete && fail(error));
  // A stream buffers its data until the first read, also with listeners.
  request.read(0);
}

/** A body that need not be read: its length header is too large, or there is none. */
function faultAtOnce({ socket, headers, complete }: IncomingMessage): ApiError | undefined {
  // The fault may be in the bytes after a complete body.
  if (!complete && broken.has(socket)) return broken.get(socket);
  if (Number(headers['content-length'] ?? 0) > MAX_BODY_BYTES) return new ApiError('PAYLOAD_TOO_LARGE');
  return undefined;
}

function unreadable(message: string): ApiError {
  return new ApiError('REQUEST_ERROR', { message });
}
