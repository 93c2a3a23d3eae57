import type { Clock } from '@postroom/runtime/clock';
import { createMutex, type Mutex } from '@postroom/runtime/mutex';
import { startTimer } from '@postroom/runtime/timer';
import type { ImapConnection } from '../imap/imap-connection.ts';
import { type FaultKind, ImapFault } from '../imap/imap-fault.ts';

export interface Named {
  workspaceId: string;
  mailboxId: string;
}

export interface SharedConnections {
  /**
   * Runs one call at a time over the shared connection of that mailbox. The connection is cut when the signal is aborted,
   * because nothing else ends a running command.
   */
  use<T>(mailbox: Named, signal: AbortSignal, work: (connection: ImapConnection) => Promise<T>): Promise<T>;
  close(): void;
}

/** A connection, with its idle time and its total time. */
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
  mutex: Mutex;
  /** The callers that use it or wait for it. */
  users: number;
  kept?: (Kept & { openedAt: number }) | undefined;
  /** The error of the last login, and the time until which no other is tried. */
  fault?: { error: ImapFault; until: number } | undefined;
  /** Cancels the timer that forgets the connection. */
  keep: () => void;
}

/** The pause after a refused login, if the provider does not name one. */
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
      // A login that its caller broke off tells nothing about the provider.
      if (error instanceof ImapFault && !signal.aborted)
        shared.fault = { error, until: clock.now() + (error.restMs ?? REST_MS[error.kind]) };
      throw error;
    }
  };

/** One on-demand connection for each mailbox, beside that of its session, while callers need it. */
export function createSharedConnections({ logIn, clock }: Options): SharedConnections {
  const all = new Map<string, Shared>();
  let isClosed = false;
  const sharedOf = ({ mailboxId }: Named): Shared => {
    const shared = all.get(mailboxId) ?? { mutex: createMutex(), users: 0, keep: () => undefined };
    all.set(mailboxId, shared);
    return shared;
  };
  const openNew = opening({ logIn, clock });
  const leave = (mailbox: Named, shared: Shared) => {
    shared.users -= 1;
    if (shared.users > 0) return;
    if (isClosed) return drop(shared);
    const { kept, fault } = shared;
    const rest = kept ? kept.idleMs : Math.max(0, (fault?.until ?? 0) - clock.now());
    const forget = () => {
      drop(shared);
      all.delete(mailbox.mailboxId);
    };
    shared.keep = startTimer(clock, rest, forget);
  };

  return {
    use: async (mailbox, signal, work) => {
      const shared = sharedOf(mailbox);
      shared.users += 1;
      shared.keep();
      const release = await shared.mutex.acquire();
      const cut = () => drop(shared);
      signal.addEventListener('abort', cut, { once: true });
      try {
        signal.throwIfAborted();
        return await workOn(shared, () => openNew(mailbox, shared, signal), signal, work);
      } catch (error) {
        if (isLost(error)) drop(shared);
        signal.throwIfAborted();
        throw error;
      } finally {
        signal.removeEventListener('abort', cut);
        if (signal.aborted || isOld(shared.kept, clock)) drop(shared);
        release();
        leave(mailbox, shared);
      }
    },
    close: () => {
      isClosed = true;
      all.forEach(drop);
      for (const { keep } of all.values()) keep();
    },
  };
}

/** On the connection that is kept; on a new one where there is none, or where it turns out to be closed. */
async function workOn<T>(
  shared: Shared,
  openNew: () => Promise<ImapConnection>,
  signal: AbortSignal,
  work: (connection: ImapConnection) => Promise<T>,
): Promise<T> {
  const kept = shared.kept?.connection;
  if (!kept) return work(await openNew());
  return work(kept).catch(async (error: unknown) => {
    // A provider closes connections that were idle for long without a notice.
    if (!isLost(error) || signal.aborted) throw error;
    drop(shared);
    return work(await openNew());
  });
}

/** The slots are few for all processes, so a stream of callers here must not hold one for ever. */
const isOld = (kept: Shared['kept'], clock: Clock) => kept && clock.now() - kept.openedAt > kept.longestMs;

const isLost = (error: unknown): boolean => error instanceof ImapFault && error.kind === 'network';
