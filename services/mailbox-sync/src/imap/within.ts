import type { Clock } from '@postroom/runtime/clock';
import { ImapFault, toImapFault } from './imap-fault.ts';

/** Work that ends in its time, or as the fault that it did not. */
export async function within<T>(limitMs: number, clock: Clock, work: () => Promise<T>): Promise<T> {
  const over = new AbortController();
  const late = clock.sleep(limitMs, over.signal).then(() => {
    throw new ImapFault('network', 'the provider did not answer in time');
  });
  try {
    return await Promise.race([work(), late]);
  } catch (error) {
    throw toImapFault(error);
  } finally {
    over.abort();
    late.catch(() => undefined);
  }
}
