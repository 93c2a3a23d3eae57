import type { ImapFlow } from 'imapflow';
import type { Clock } from '@postroom/runtime/clock';
import { ImapFault, toImapFault } from './imap-fault.ts';
import { createTurn } from './turn.ts';
import { within } from './within.ts';

export type Line = ReturnType<typeof createLine>;

const CONNECT_LIMIT_MS = 30_000;

/**
 * The one way to a server: a command at a time, each within its time. The library seldom throws: a connection that is
 * lost ends a command like one that found nothing, so that after each it is asked whether it can still be used.
 */
export function createLine(client: ImapFlow, timeoutMs: number, clock: Clock) {
  const turn = createTurn();
  const lost = new AbortController();
  let changed = new AbortController();

  // Without a listener an error of the connection would end the process; that it is closed then is told as well.
  client.on('error', () => undefined);
  client.on('close', () => lost.abort());
  for (const event of ['exists', 'expunge', 'flags'] as const) client.on(event, () => changed.abort());
  const assertUsable = () => {
    if (!client.usable) throw new ImapFault('network', 'the connection to the provider is gone');
  };

  return {
    connect: () => within(CONNECT_LIMIT_MS, clock, () => client.connect()),

    async run<T>(command: () => Promise<T>): Promise<T> {
      const giveBack = await turn();
      try {
        assertUsable();
        const answer = await within(timeoutMs, clock, command);
        assertUsable();
        return answer;
      } catch (error) {
        // Whatever is still to come on it would be taken for the answer to the next command.
        if (toImapFault(error).kind === 'network') client.close();
        throw error;
      } finally {
        giveBack();
      }
    },

    /** For answers that come one by one; silence in between ends at the socket's own time limit. */
    async *stream<T>(command: () => AsyncIterable<T>): AsyncGenerator<T> {
      const giveBack = await turn();
      try {
        assertUsable();
        yield* command();
        assertUsable();
      } catch (error) {
        throw toImapFault(error);
      } finally {
        giveBack();
      }
    },

    /** What was heard of the open folder up to here is known. */
    forgetChanges: () => {
      changed = new AbortController();
    },

    /** Until something changes in the open folder, or `over` is aborted; the next command ends it at the server. */
    async idle(over: AbortSignal): Promise<boolean> {
      const heard = changed.signal;
      await idleUntil(client, AbortSignal.any([over, heard, lost.signal]), clock);
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
