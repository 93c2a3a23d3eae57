import type { OwedStore, Owing } from './owed-store.ts';

/** What the relay was told of and has not come to yet. */
export interface Backlog {
  hand(written: readonly Owing[]): void;
  name(emailIds: readonly string[]): void;
  everything(): void;
  isEmpty(): boolean;
  /** The next emails to see to; "everything" once nothing particular is left. */
  take(): Promise<readonly Owing[] | 'everything'>;
  forget(): void;
}

export const BATCH = 500;
/** More than this is not kept in memory while the bus is slow: the database has it. */
const MOST_IN_HAND = 5_000;

export function createBacklog(store: Pick<OwedStore, 'ofEmails'>): Backlog {
  let inHand: Owing[] = [];
  const named = new Set<string>();
  let isEverything = false;

  return {
    hand: (written) => {
      if (inHand.length + written.length <= MOST_IN_HAND) inHand.push(...written.map(lightly));
      else isEverything = true;
    },
    name: (emailIds) => {
      for (const id of emailIds) named.add(id);
    },
    everything: () => {
      isEverything = true;
    },
    isEmpty: () => inHand.length === 0 && named.size === 0 && !isEverything,
    take: async () => {
      const written = inHand.slice(0, BATCH);
      inHand = inHand.slice(BATCH);
      if (written.length > 0) return written;
      const ids = [...named].slice(0, BATCH);
      for (const id of ids) named.delete(id);
      if (ids.length > 0) return store.ofEmails(ids);
      isEverything = false;
      return 'everything';
    },
    forget: () => {
      inHand = [];
      named.clear();
    },
  };
}

/** Without the email around it. */
function lightly({ _id, workspaceId, mailboxId, date, receivedAt, owed }: Owing): Owing {
  return { _id, workspaceId, mailboxId, date, receivedAt, owed };
}
