import type { ImapFlow } from 'imapflow';
import type { Clock } from '@postroom/runtime/clock';
import { ImapFault, TOO_MUCH, toImapFault } from './imap-fault.ts';

/** How much a provider may say until it has answered, and how long it may take. */
export interface Bound {
  bytes: number;
  ms: number;
  lookMs?: number;
}

const OFTEN_MS = 250;

/** Holds what comes from a provider against a bound, so that one that never ends takes neither memory nor time of others. */
export function createBounded(client: Pick<ImapFlow, 'stats'>, bound: Bound, clock: Clock) {
  const over = new AbortController();
  const before = client.stats().received;
  let waited = 0;
  let since: number | undefined;
  const broken = (async (): Promise<never> => {
    for (;;) {
      await clock.sleep(bound.lookMs ?? OFTEN_MS, over.signal);
      if (client.stats().received - before > bound.bytes) throw new ImapFault('network', TOO_MUCH);
      if (waited + (since === undefined ? 0 : clock.now() - since) >= bound.ms)
        throw new ImapFault('network', 'the provider did not answer in time');
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
      waited += clock.now() - since;
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
