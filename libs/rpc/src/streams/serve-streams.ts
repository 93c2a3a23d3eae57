import { Metadata } from '@grpc/grpc-js';
import type { Server, ServerDuplexStream, ServiceDefinition } from '@grpc/grpc-js';
import { ApiError, toApiError } from '@postroom/errors/api-error';
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
import { frameWriter, type FrameWriter } from './frame-writer.ts';

/** A call that came over a stream, as its transport needs it. */
interface OpenedCall {
  remainingMs(): number;
  /** Stops the work that still runs for this call. */
  abort(): void;
}

/** A method as multiplexed streams call it. */
export interface StreamedMethod<C extends OpenedCall> {
  name: string;
  decode(bytes: Uint8Array): unknown;
  encode(message: unknown): Uint8Array[];
  /** Rejects with what the handler threw, counted and logged. */
  answer(request: unknown, call: C): Promise<unknown>;
}

/** Opens a call with the metadata of a frame. */
type OpenCall<C> = (
  metadata: { workspaceId: string; requestId: string; parent: string | undefined; leftMs: number | undefined },
  method: string,
) => C;

export interface StreamServer {
  /** Asks every client to send no more over its streams. They end with the last answer. */
  retire(): void;
}

type Stream = ServerDuplexStream<IncomingFrame<RequestHead>[], OutgoingFrame<ReplyHead>[]>;
type Writer = FrameWriter<ReplyHead>;

const definition: ServiceDefinition = {
  carry: {
    path: STREAM_PATH,
    requestStream: true,
    responseStream: true,
    requestSerialize: toBytes,
    requestDeserialize: fromBytes<RequestHead>,
    responseSerialize: toBytes,
    responseDeserialize: fromBytes<ReplyHead>,
  },
};

/** Answers calls over multiplexed streams. Unary calls of the same methods still work. */
export function serveStreams<C extends OpenedCall>(
  server: Server,
  targets: ReadonlyMap<string, StreamedMethod<C>>,
  openCall: OpenCall<C>,
): StreamServer {
  const open = new Set<Writer>();
  let isRetiring = false;
  const carry = (stream: Stream) => {
    const writer = frameWriter<ReplyHead>(stream);
    open.add(writer);
    if (isRetiring) askForNoMore(writer);
    carryCalls(stream, writer, targets, openCall, () => open.delete(writer));
  };
  server.addService(definition, { carry });
  return {
    retire: () => {
      isRetiring = true;
      for (const writer of open) askForNoMore(writer);
    },
  };
}

function askForNoMore(writer: Writer): void {
  writer.write({ id: 0 }, NOTHING);
}

function carryCalls<C extends OpenedCall>(
  stream: Stream,
  writer: Writer,
  targets: ReadonlyMap<string, StreamedMethod<C>>,
  openCall: OpenCall<C>,
  onEnd: () => void,
): void {
  const running = new Map<number, { call: C; timer: NodeJS.Timeout }>();

  /** The first that removes a call decides its result. Others find nothing any more. */
  const take = (id: number): C | undefined => {
    const found = running.get(id);
    running.delete(id);
    clearTimeout(found?.timer);
    return found?.call;
  };
  const end = () => {
    for (const id of running.keys()) take(id)?.abort();
    onEnd();
  };
  const answer = async ({ head, body }: IncomingFrame<RequestHead>, target: StreamedMethod<C>) => {
    const { id, workspaceId = '', requestId = '', traceparent, leftMs } = head;
    const call = openCall({ workspaceId, requestId, parent: traceparent, leftMs }, target.name);
    const timer = setTimeout(() => take(id)?.abort(), call.remainingMs());
    running.set(id, { call, timer });
    // A call can still run out of time while its answer waits to be sent.
    const reply = (head: ReplyHead, pieces: readonly Uint8Array[]) =>
      writer.write(head, pieces, () => take(id) !== undefined);
    try {
      reply({ id }, target.encode(await target.answer(target.decode(body), call)));
    } catch (thrown) {
      reply({ id, failure: failureOf(toApiError(thrown)) }, NOTHING);
    }
  };

  // This header tells a client that the server supports multiplexed streams.
  stream.sendMetadata(new Metadata());
  stream.on('data', (frames: IncomingFrame<RequestHead>[]) => {
    for (const frame of frames) {
      const { id, path } = frame.head;
      const target = path === undefined ? undefined : targets.get(path);
      if (target) void answer(frame, target);
      else if (path === undefined) take(id)?.abort();
      else writer.write({ id, failure: failureOf(unknown(path)) }, NOTHING);
    }
  });
  stream.on('end', () => {
    end();
    writer.end();
  });
  stream.on('cancelled', end);
  stream.on('error', end);
}

function unknown(path: string): ApiError {
  return new ApiError('INTERNAL_ERROR', { message: `${path} is not served over multiplexed streams` });
}

function failureOf({ code, message, details }: ApiError): FailureFrame {
  return { code, message, details };
}
