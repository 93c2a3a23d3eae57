import { TooLong } from './failures.ts';

/** Answers are read up to so many bytes, as they are once unpacked; what is longer is an error, and its connection ends. */
export function boundedFetch(mostBytes: number): typeof fetch {
  return async (...request) => {
    const response = await fetch(...request);
    // The length header is that of the compressed body, so the bytes are counted here.
    return response.body ? new Response(response.body.pipeThrough(upTo(mostBytes)), response) : response;
  };
}

function upTo(mostBytes: number): TransformStream<Uint8Array, Uint8Array> {
  let left = mostBytes;
  return new TransformStream({
    transform: (chunk, passed) => {
      left -= chunk.byteLength;
      if (left < 0) throw new TooLong(`an answer of more than ${mostBytes} bytes`);
      passed.enqueue(chunk);
    },
  });
}
