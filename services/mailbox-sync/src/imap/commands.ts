import type { ImapFlow } from 'imapflow';
import { abortedByAny } from '@postroom/runtime/abort';
import type { Clock } from '@postroom/runtime/clock';
import { createMutex } from '@postroom/runtime/mutex';
import { type Bound, createBoundedAnswer } from './bounded-answer.ts';
import { ImapFault, toImapFault } from './imap-fault.ts';
import { createUnsolicitedData } from './unsolicited-data.ts';

export type Commands = ReturnType<typeof createCommands>;

const MEGABYTE = 1024 * 1024;
const TO_CONNECT: Bound = { bytes: MEGABYTE, ms: 30_000 };
/** A list of some ten thousand folders, or of so many UIDs as are asked for at once; see `uids`. */
const LARGEST_ANSWER = 4 * MEGABYTE;
/** A provider that is slower than this with messages, in bytes a second, is as good as silent. */
const SLOWEST = 16 * 1024;

interface Most {
  /** In bytes. */
  most: number;
  /** Whether another workspace waits for the memory of the answer. */
  isWanted?: (() => boolean) | undefined;
}

const gone = () => new ImapFault('network', 'the connection to the provider is gone');

/** The first error that ended the connection. */
function lossOf(client: ImapFlow) {
  let broken: ImapFault | undefined;
  // An error without a listener would end the process. Later errors only say that the connection is closed.
  client.on('error', (error) => (broken ??= toImapFault(error)));
  const assertUsable = () => {
    if (!client.usable) throw broken ?? gone();
  };
  const failed = (error: unknown): ImapFault => {
    const fault = toImapFault(error);
    if (fault.kind === 'failed' && !client.usable) return broken ?? gone();
    if (fault.kind !== 'network') return fault;
    // The rest of the answer would be taken for the answer to the next command.
    client.close();
    return broken ?? fault;
  };
  return { assertUsable, failed };
}

function holding(client: ImapFlow, failed: (error: unknown) => ImapFault, clock: Clock) {
  return async <T>(bound: Bound, work: () => Promise<T>): Promise<T> => {
    const bounded = createBoundedAnswer(client, bound, clock);
    try {
      return await bounded.wait(work());
    } catch (error) {
      throw failed(error);
    } finally {
      bounded.end();
    }
  };
}

/** Whether the open folder had a notification since its last scan. */
function changesOf(client: ImapFlow) {
  let changed = new AbortController();
  // Each abort creates an error, also for a signal that is aborted already.
  const note = () => void (changed.signal.aborted || changed.abort());
  for (const event of ['exists', 'expunge', 'flags'] as const) client.on(event, note);
  return {
    heard: () => changed.signal,
    forget: () => {
      changed = new AbortController();
    },
  };
}

/**
 * The one way to a server: a command at a time, each within its time. The library seldom throws: a connection that is
 * lost ends a command like one that found nothing, so that after each it is asked whether it can still be used.
 */
export function createCommands(client: ImapFlow, timeoutMs: number, clock: Clock) {
  const mutex = createMutex();
  const lost = new AbortController();
  client.on('close', () => lost.abort());
  const changes = changesOf(client);
  const { assertUsable, failed } = lossOf(client);
  const held = holding(client, failed, clock);
  const unsolicited = createUnsolicitedData(client, clock);

  return {
    connect: () => held(TO_CONNECT, () => client.connect()),

    async run<T>(command: () => Promise<T>): Promise<T> {
      const release = await mutex.acquire();
      unsolicited.pause();
      try {
        return await held({ bytes: LARGEST_ANSWER, ms: timeoutMs }, async () => {
          assertUsable();
          const answer = await command();
          assertUsable();
          return answer;
        });
      } finally {
        release();
      }
    },

    /** For answers in several parts. The time limit of the socket ends a silence between them. */
    async *stream<T>(command: () => AsyncIterable<T>, { most, isWanted }: Most): AsyncGenerator<T> {
      const release = await mutex.acquire();
      unsolicited.pause();
      const bound = { bytes: most + MEGABYTE, ms: timeoutMs + (most / SLOWEST) * 1_000, isWanted };
      const bounded = createBoundedAnswer(client, bound, clock);
      try {
        assertUsable();
        yield* bounded.each(command());
        assertUsable();
      } catch (error) {
        throw failed(error);
      } finally {
        bounded.end();
        release();
      }
    },

    /** Marks the notifications of the open folder so far as handled. */
    forgetChanges: changes.forget,

    /** Until something changes in the open folder, or `over` is aborted; the next command ends it at the server. */
    async idle(over: AbortSignal): Promise<boolean> {
      const heard = changes.heard();
      unsolicited.watch();
      await abortedByAny([over, heard, lost.signal], (quiet) => idleUntil(client, quiet, clock));
      assertUsable();
      return heard.aborted;
    },
  };
}

/** A server that ends IDLE at once does not know it; asking again and again would not teach it. */
const SHORTEST_IDLE_MS = 1_000;

async function idleUntil(client: ImapFlow, quiet: AbortSignal, clock: Clock): Promise<void> {
  const end = aborted(quiet);
  while (!quiet.aborted) {
    const since = clock.now();
    await Promise.race([client.idle().catch(() => undefined), end]);
    if (!quiet.aborted && clock.now() - since < SHORTEST_IDLE_MS) await end;
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}
