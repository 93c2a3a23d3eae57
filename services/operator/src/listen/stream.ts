import { abortedByAny } from '@postroom/runtime/abort';
import type { Clock } from '@postroom/runtime/clock';
import { startTimer } from '@postroom/runtime/timer';
import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { z } from 'zod';
import { ask, causeOf, Unavailable, type Api } from './api.ts';

/** The server sends a comment every 15 seconds, so a stream that is silent for longer is cut on the way. */
const SILENCE_MS = 45_000;
const LARGEST_EVENT = 1_048_576;

const changeBody = z.object({ id: z.string(), event: z.string(), createdAt: z.string(), data: z.unknown() });

/** A change of the feed, with the cursor behind it. */
export type StreamedChange = z.infer<typeof changeBody> & { cursor: string };

interface StreamOptions {
  clock: Pick<Clock, 'sleep'>;
  signal: AbortSignal;
  /** The pause that the server asks for before the next connection. */
  onRetry(ms: number): void;
}

/** The cursor of the present end of the feed. */
export async function currentEnd(api: Api, signal: AbortSignal): Promise<string> {
  const page = (await (await ask(api, '/changes?since=now', signal)).json()) as { nextCursor: string };
  return page.nextCursor;
}

/** Hands over the changes of one connection. It resolves when the server ends the stream. */
export async function readStream(
  api: Api,
  cursor: string,
  { clock, signal, onRetry }: StreamOptions,
  take: (change: StreamedChange) => Promise<void>,
): Promise<void> {
  const silent = new AbortController();
  const abort = () => silent.abort(new Unavailable('the stream was silent for 45 seconds'));
  let cancel = startTimer(clock, SILENCE_MS, abort);
  const messages: EventSourceMessage[] = [];
  const parser = createParser({
    onEvent: (message) => messages.push(message),
    onRetry,
    onError: (error) => silent.abort(new Unavailable(`the stream cannot be read (${error.message})`)),
    maxBufferSize: LARGEST_EVENT,
  });
  try {
    await abortedByAny([signal, silent.signal], async (either) => {
      const response = await ask(api, `/changes/stream?since=${encodeURIComponent(cursor)}`, either);
      const decoder = new TextDecoder();
      for await (const piece of response.body ?? []) {
        cancel();
        parser.feed(decoder.decode(piece as Uint8Array, { stream: true }));
        silent.signal.throwIfAborted();
        for (const message of messages.splice(0)) await take(changeOf(message));
        cancel = startTimer(clock, SILENCE_MS, abort);
      }
    });
  } catch (error) {
    if (silent.signal.aborted) throw silent.signal.reason;
    throw error instanceof TypeError ? new Unavailable(`the stream was cut (${causeOf(error)})`) : error;
  } finally {
    cancel();
  }
}

function changeOf({ id = '', data }: EventSourceMessage): StreamedChange {
  return { ...changeBody.parse(JSON.parse(data)), cursor: id };
}
