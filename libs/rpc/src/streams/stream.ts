import { Metadata, status, type Client } from '@grpc/grpc-js';
import { ApiError } from '@postroom/errors/api-error';
import { isErrorCode } from '@postroom/errors/catalogue';
import {
  fromBytes,
  STREAM_PATH,
  NOTHING,
  toBytes,
  type FailureFrame,
  type IncomingFrame,
  type OutgoingFrame,
} from './frame.ts';
import type { ReplyHead, RequestHead } from './frame.ts';
import { frameWriter } from './frame-writer.ts';
import { waitingCalls } from './waiting-calls.ts';

/** The stream ended during the call. It is unknown whether it ran, so only methods that may run twice use a stream. */
export class StreamLost extends Error {}

export interface StreamedCall {
  workspaceId?: string | undefined;
  requestId?: string | undefined;
  traceparent?: string | undefined;
  /** Cancels the call. */
  signal?: AbortSignal | undefined;
  path: string;
  body: Uint8Array;
  leftMs: number;
}

export interface MultiplexedStream {
  /** Whether one more call may go over it: not once it retires, nor while its peer does not keep up. */
  isFree(): boolean;
  /** Resolves with the bytes of the answer; rejects with the ApiError that was thrown there, or with StreamLost. */
  ask(question: StreamedCall): Promise<Buffer>;
  /** Takes no more calls, and ends after those that wait. */
  retire(): void;
}

export interface StreamEvents {
  /** The peer supports multiplexed streams, and this one is open. */
  onOpen(opened: MultiplexedStream, peer: string): void;
  /** The peer asked for no more calls, or the stream ended. */
  onClose(opened: MultiplexedStream): void;
  /** The peer does not support multiplexed streams. */
  onUnknown(peer: string): void;
}

/** A peer that takes longer to open a stream gets unary calls. */
const OPENING_MS = 5_000;

/** One long-lived stream to one peer, over which many calls go at once, each with its own id, deadline and fate. */
export function openStream(client: Client, events: StreamEvents): MultiplexedStream {
  const stream = client.makeBidiStreamRequest<OutgoingFrame<RequestHead>[], IncomingFrame<ReplyHead>[]>(
    STREAM_PATH,
    toBytes,
    fromBytes<ReplyHead>,
    new Metadata(),
  );
  const writer = frameWriter<RequestHead>(stream);
  const opening = setTimeout(() => stream.cancel(), OPENING_MS);
  let isRetiring = false;
  const calls = waitingCalls(() => {
    if (isRetiring) writer.end();
  });
  const takeBack = (id: number) => writer.write({ id }, NOTHING);

  const opened: MultiplexedStream = {
    isFree: () => !isRetiring && !writer.isFull(),
    ask: ({ body, leftMs, signal, ...metadata }) => {
      const { id, answer } = calls.add(leftMs, signal, takeBack);
      writer.write({ id, leftMs, ...metadata }, [body]);
      return answer;
    },
    retire: () => {
      if (isRetiring) return;
      isRetiring = true;
      if (calls.isEmpty()) writer.end();
    },
  };

  stream.on('metadata', () => {
    clearTimeout(opening);
    events.onOpen(opened, stream.getPeer());
  });
  stream.on('data', (frames: IncomingFrame<ReplyHead>[]) => {
    for (const { head, body } of frames) {
      if (head.id === 0) {
        opened.retire();
        events.onClose(opened);
      } else if (head.failure) calls.reject(head.id, errorOf(head.failure));
      else calls.resolve(head.id, body);
    }
  });
  // The status tells the same, and comes in any case.
  stream.on('error', () => undefined);
  stream.on('status', ({ code, details }) => {
    clearTimeout(opening);
    isRetiring = true;
    calls.rejectAll(new StreamLost(`the stream ended: ${code} ${details}`));
    if (code === status.UNIMPLEMENTED) events.onUnknown(stream.getPeer());
    events.onClose(opened);
  });
  return opened;
}

function errorOf({ code, message, details }: FailureFrame): ApiError {
  const cause = new Error(message);
  return isErrorCode(code)
    ? new ApiError(code, { message, cause, ...(details && { details }) })
    : new ApiError('INTERNAL_ERROR', { cause });
}
