import type { ImapFlow } from 'imapflow';
import type { Clock } from '@postroom/runtime/clock';
import { ImapFault, saidTooMuch, sentTooSlowly, toImapFault } from './imap-fault.ts';

/** The bytes and the time that an answer of a provider may take. */
export interface Bound {
  bytes: number;
  ms: number;
  /** Whether another workspace waits for the memory of this answer. Then a minimum rate applies. */
  isWanted?: (() => boolean) | undefined;
}

const CHECK_MS = 250;
/** In bytes a second, over a window in which also a busy server sends something. */
const BRISK = 128 * 1024;
const WINDOW_MS = 15_000;

/** Bounds the answer of a provider, so that an endless one takes neither memory nor time of others. */
export function createBoundedAnswer(client: Pick<ImapFlow, 'stats'>, bound: Bound, clock: Clock) {
  const over = new AbortController();
  const before = client.stats().received;
  let ended = 0;
  let since: number | undefined;
  const waited = () => ended + (since === undefined ? 0 : clock.now() - since);
  const isBrisk = briskness(before, waited);
  const broken = (async (): Promise<never> => {
    for (;;) {
      await clock.sleep(CHECK_MS, over.signal);
      const { received } = client.stats();
      if (received - before > bound.bytes) throw saidTooMuch();
      if (waited() >= bound.ms) throw new ImapFault('network', 'the provider did not answer in time');
      if (!isBrisk(received) && bound.isWanted?.()) throw sentTooSlowly();
    }
  })();
  broken.catch(() => undefined);

  const wait = async <T>(answer: Promise<T>): Promise<T> => {
    since = clock.now();
    try {
      return await Promise.race([answer, broken]);
    } catch (error) {
      throw toImapFault(error);
    } finally {
      ended = waited();
      since = undefined;
    }
  };

  return {
    wait,
    /** Only the time that the provider takes counts, not what is done between two of its answers. */
    async *each<T>(answers: AsyncIterable<T>): AsyncGenerator<T> {
      const iterator = answers[Symbol.asyncIterator]();
      let isLeft = false;
      try {
        for (let next = await wait(iterator.next()); !next.done; next = await wait(iterator.next())) {
          isLeft = true;
          yield next.value;
          isLeft = false;
        }
      } finally {
        if (isLeft) await iterator.return?.();
      }
    },
    end: () => over.abort(),
  };
}

/** Whether enough bytes came in the last window. It is true until the first window ends. */
function briskness(atFirst: number, waited: () => number) {
  const window = { from: 0, received: atFirst };
  return (received: number): boolean => {
    const passed = waited() - window.from;
    if (passed < WINDOW_MS) return true;
    const rate = ((received - window.received) / passed) * 1_000;
    Object.assign(window, { from: waited(), received });
    return rate >= BRISK;
  };
}
