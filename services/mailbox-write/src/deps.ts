import type { KeyedQueue } from '@postroom/runtime/keyed-queue';
import type { Relay } from '@postroom/events/outbox/relay';
import type { ServiceContext } from '@postroom/runtime/service';
import type { CompletedEmails } from './ingest/finalizing.ts';
import type { ParsePool } from './parse/parse-pool.ts';
import type { Stores } from './stores.ts';

/** The dependencies of the handlers of this service. */
export interface Deps {
  context: Pick<ServiceContext, 'clock' | 'ids' | 'log' | 'metrics'>;
  stores: Stores;
  relay: Pick<Relay, 'publishSoon'>;
  /** Of the events that outlive their emails. */
  removals: Pick<Relay, 'publishSoon'>;
  completed: Pick<CompletedEmails, 'add'>;
  pool: ParsePool;
  /** One batch of a mailbox at a time, so that threads seldom meet; the indexes hold across processes. */
  queueByMailbox: KeyedQueue['add'];
}
