import { Readable } from 'node:stream';

const CHUNK = 64 * 1024;

interface GuardedSteps {
  dataStarted(): Promise<void>;
  dataEnding(): Promise<void>;
}

interface GuardedMessage {
  stream: Readable;
  /** Whether the last bytes were handed over: before that the server cannot have accepted the message. */
  wasHandedOver(): boolean;
}

/**
 * The message as a stream that is first read after the server asked for the data, and whose end is kept back until the
 * next step is written down. So whatever goes wrong earlier is surely not sent, whatever the error says.
 */
export function guardMessage(bytes: Buffer, steps: GuardedSteps): GuardedMessage {
  const chunks = cut(bytes);
  let next = 0;
  let isHandedOver = false;

  const advance = async (stream: Readable): Promise<void> => {
    if (next === 0) await steps.dataStarted();
    if (next === chunks.length - 1) await steps.dataEnding();
    if (stream.destroyed) return;
    isHandedOver = next === chunks.length - 1;
    stream.push(chunks[next]);
    next += 1;
    if (isHandedOver) stream.push(null);
  };
  const stream = new Readable({
    highWaterMark: CHUNK,
    read() {
      advance(this).catch((error: unknown) => this.destroy(error as Error));
    },
  });
  return { stream, wasHandedOver: () => isHandedOver };
}

/** At least two, so that something can be kept back. */
function cut(bytes: Buffer): Buffer[] {
  const end = Math.max(0, bytes.length - 2);
  const chunks: Buffer[] = [];
  for (let at = 0; at < end; at += CHUNK) chunks.push(bytes.subarray(at, Math.min(end, at + CHUNK)));
  return [...chunks, bytes.subarray(end)];
}
