import type { Client, ClientUnaryCall, ClientWritableStream, Metadata, MethodDefinition } from '@grpc/grpc-js';

type Requests = AsyncIterable<unknown> | Iterable<unknown>;

/** Makes one call and resolves with its answer; rejects with gRPC's own error. */
export function sendCall(
  client: Client,
  method: MethodDefinition<unknown, unknown>,
  request: unknown,
  metadata: Metadata,
  deadline: number,
  signal: AbortSignal | undefined,
): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const { path, requestSerialize, responseDeserialize } = method;
    const finish = (error: Error | null, response?: unknown) => {
      signal?.removeEventListener('abort', cancel);
      if (error) reject(error);
      else resolve(response);
    };
    let call: ClientUnaryCall | ClientWritableStream<unknown>;
    const cancel = () => call.cancel();
    const options = { deadline };

    if (method.requestStream) {
      const stream = client.makeClientStreamRequest(
        path,
        requestSerialize,
        responseDeserialize,
        metadata,
        options,
        finish,
      );
      call = stream;
      void pour(request as Requests, stream).catch((error: Error) => {
        // The source of the requests failed, and an incomplete stream must not be taken for a complete one.
        stream.cancel();
        finish(error);
      });
    } else {
      call = client.makeUnaryRequest(path, requestSerialize, responseDeserialize, request, metadata, options, finish);
    }
    signal?.addEventListener('abort', cancel, { once: true });
  });
}

/** Writes requests as fast as the peer takes them, and no further once the call has ended. */
async function pour(requests: Requests, stream: ClientWritableStream<unknown>): Promise<void> {
  let open = true;
  const ended = new Promise<void>((resolve) => {
    stream.once('status', () => {
      open = false;
      resolve();
    });
  });
  for await (const request of requests) {
    if (!open) return;
    if (!stream.write(request)) await Promise.race([drained(stream), ended]);
  }
  stream.end();
}

function drained(stream: ClientWritableStream<unknown>): Promise<void> {
  return new Promise((resolve) => {
    stream.once('drain', resolve);
  });
}
