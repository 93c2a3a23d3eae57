import type { Clock } from '@postroom/runtime/clock';
import type { ImapConnection } from '../imap/imap-connection.ts';
import { type FaultKind, ImapFault } from '../imap/imap-fault.ts';
import { createTurn } from '../imap/turn.ts';

export interface Named {
  workspaceId: string;
  mailboxId: string;
}

export interface SharedConnections {
  /**
   * In turn with all others who want something of that mailbox, over the one connection that they share. It is cut when
   * the signal is aborted: nothing else ends what a provider was asked.
   */
  use<T>(mailbox: Named, signal: AbortSignal, work: (connection: ImapConnection) => Promise<T>): Promise<T>;
  close(): void;
}

/** A connection, for how long it is kept with nobody using it, and for how long at all. */
export interface Kept {
  connection: ImapConnection;
  idleMs: number;
  longestMs: number;
}

interface Options {
  logIn(mailbox: Named, signal: AbortSignal): Promise<Kept>;
  clock: Clock;
}

interface Shared {
  turn: ReturnType<typeof createTurn>;
  /** Who uses it or waits to. */
  users: number;
  kept?: (Kept & { openedAt: number }) | undefined;
  /** Why there is none, and until when nobody asks again. */
  fault?: { error: ImapFault; until: number } | undefined;
  rest: AbortController;
}

/** How long a provider is left alone that has not let us in, where it does not say itself. */
const REST_MS: Readonly<Record<FaultKind, number>> = { network: 2_000, limit: 15_000, refusal: 60_000, failed: 2_000 };

function drop(shared: Shared): void {
  shared.kept?.connection.close();
  shared.kept = undefined;
}

/** A login, unless one has just failed. */
const opening =
  ({ logIn, clock }: Options) =>
  async (mailbox: Named, shared: Shared, signal: AbortSignal): Promise<ImapConnection> => {
    if (shared.fault && shared.fault.until > clock.now()) throw shared.fault.error;
    try {
      shared.kept = { ...(await logIn(mailbox, signal)), openedAt: clock.now() };
      signal.throwIfAborted();
      return shared.kept.connection;
    } catch (error) {
      if (error instanceof ImapFault)
        shared.fault = { error, until: clock.now() + (error.restMs ?? REST_MS[error.kind]) };
      throw error;
    }
  };

/** One connection for each mailbox, beside that of its session, for as long as somebody wants something of it. */
export function createSharedConnections({ logIn, clock }: Options): SharedConnections {
  const all = new Map<string, Shared>();
  let isClosed = false;
  const sharedOf = ({ mailboxId }: Named): Shared => {
    const shared = all.get(mailboxId) ?? { turn: createTurn(), users: 0, rest: new AbortController() };
    all.set(mailboxId, shared);
    return shared;
  };
  const openNew = opening({ logIn, clock });
  const leave = (mailbox: Named, shared: Shared) => {
    shared.users -= 1;
    if (shared.users > 0) return;
    if (isClosed) return drop(shared);
    shared.rest = new AbortController();
    const { kept, fault } = shared;
    const rest = kept ? kept.idleMs : Math.max(0, (fault?.until ?? 0) - clock.now());
    const forget = () => {
      drop(shared);
      all.delete(mailbox.mailboxId);
    };
    clock.sleep(rest, shared.rest.signal).then(forget, () => undefined);
  };

  return {
    use: async (mailbox, signal, work) => {
      const shared = sharedOf(mailbox);
      shared.users += 1;
      shared.rest.abort();
      const giveBack = await shared.turn();
      const cut = () => drop(shared);
      signal.addEventListener('abort', cut, { once: true });
      try {
        signal.throwIfAborted();
        const kept = shared.kept?.connection;
        if (!kept) return await work(await openNew(mailbox, shared, signal));
        return await work(kept).catch(async (error: unknown) => {
          // A provider ends connections that were quiet for long, and tells nobody.
          if (!isLost(error) || signal.aborted) throw error;
          drop(shared);
          return work(await openNew(mailbox, shared, signal));
        });
      } catch (error) {
        if (isLost(error)) drop(shared);
        signal.throwIfAborted();
        throw error;
      } finally {
        signal.removeEventListener('abort', cut);
        if (signal.aborted || isOld(shared.kept, clock)) drop(shared);
        giveBack();
        leave(mailbox, shared);
      }
    },
    close: () => {
      isClosed = true;
      all.forEach(drop);
      for (const { rest } of all.values()) rest.abort();
    },
  };
}

/** There are few places for all processes: whoever waits for one is not kept waiting by a stream of callers here. */
const isOld = (kept: Shared['kept'], clock: Clock) => kept && clock.now() - kept.openedAt > kept.longestMs;

const isLost = (error: unknown): boolean => error instanceof ImapFault && error.kind === 'network';
