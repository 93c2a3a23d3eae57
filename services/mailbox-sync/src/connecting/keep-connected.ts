import { ApiError } from '@postroom/errors/api-error';
import { isUnavailable } from '@postroom/errors/unavailable';
import { cutOnAbort } from '@postroom/runtime/abort';
import { ImapFault } from '../imap/imap-fault.ts';
import type { Keeping } from '../leases/held-mailboxes.ts';
import { LeaseLost } from '../leases/lease-lost.ts';
import type { Lease } from '../leases/lease.ts';
import { backoffMs, failuresAfter, lateWritesMs } from './backoff.ts';
import { MailboxInactive, openSession } from './open-session.ts';
import { runSession } from './run-session.ts';
import type { SessionDeps } from '../session/session.ts';
import { createWake } from './wake.ts';

/** A service of ours may be available again at any moment, so the pause is short. */
const LONGEST_WHILE_UNAVAILABLE_MS = 60_000;

/** Connects a mailbox again and again, until it is stopped or the mailbox is not to be connected any more. */
export function keepConnected(lease: Lease, deps: SessionDeps, isHeld: () => boolean): Keeping {
  const { clock, log } = deps.context;
  const stopped = new AbortController();
  const wake = createWake();
  const { signal } = stopped;
  let failures = 0;
  let lastedMs = 0;
  const lateUntil = clock.now() + lateWritesMs(lease.mailboxId);
  const sign = { at: clock.now(), isConnected: false };
  const hear = () => void Object.assign(sign, { at: clock.now(), isConnected: true });

  const connectOnce = async (): Promise<void> => {
    lastedMs = 0;
    const session = await openSession(lease, deps, { signal, isHeld, lateUntil });
    const since = clock.now();
    // A running command is cut off. The next holder of the mailbox finds its result.
    const cut = () => session.connection.close();
    try {
      hear();
      await cutOnAbort(signal, cut, () => runSession(session, { wake, hear, signal }));
    } finally {
      cut();
      sign.isConnected = false;
      lastedMs = clock.now() - since;
    }
  };
  /** The pause before the next session. */
  const failed = async (error: unknown): Promise<number> => {
    const isOverBound = error instanceof ImapFault && error.isOverBound;
    failures = failuresAfter(failures, { lastedMs, isOverBound });
    log.warn({ err: error, mailboxId: lease.mailboxId, failures }, 'a mailbox is not synchronized; it is tried again');
    deps.failures.add(1, { kind: error instanceof ImapFault ? error.kind : 'ours' });
    if (error instanceof ImapFault && (await recordFailure(lease, error, deps)) === 'disconnected')
      throw new MailboxInactive();
    return pauseMs(error, lease.mailboxId, failures);
  };
  const pause = async (error: unknown) => clock.sleep(await failed(error), signal);
  const running = connectAgainAndAgain(connectOnce, pause, signal).catch((error: unknown) => error);

  return {
    scan: () => wake.say('scan'),
    writeBack: () => wake.say('writeBack'),
    lastSign: () => sign,
    ended: running.then((why) => ({ isInactive: why instanceof MailboxInactive })),
    stop: async () => {
      stopped.abort(new LeaseLost());
      await running;
    },
  };
}

/** Resolves with the reason for which nobody keeps the mailbox here any more; undefined when it was stopped. */
async function connectAgainAndAgain(
  connectOnce: () => Promise<void>,
  pause: (error: unknown) => Promise<void>,
  signal: AbortSignal,
): Promise<unknown> {
  while (!signal.aborted) {
    try {
      await connectOnce();
    } catch (error) {
      if (signal.aborted || error instanceof LeaseLost || error instanceof MailboxInactive) return error;
      await pause(error);
    }
  }
  return undefined;
}

function pauseMs(error: unknown, mailboxId: string, failures: number): number {
  const restMs = error instanceof ImapFault ? (error.restMs ?? 0) : 0;
  const longest = isUnavailable(error) ? LONGEST_WHILE_UNAVAILABLE_MS : Infinity;
  return Math.min(longest, Math.max(restMs, backoffMs(mailboxId, failures)));
}

/** A fault of our own is not reported as a fault of the provider. */
async function recordFailure({ workspaceId, mailboxId, epoch }: Lease, fault: ImapFault, deps: SessionDeps) {
  const failed = { cause: fault.message, isRefusal: fault.kind === 'refusal' };
  try {
    const request = { workspaceId, mailboxId, epoch, failed, folders: undefined, lastSyncedAt: undefined };
    return (await deps.access.recordSync(request, {})).status;
  } catch (error) {
    if (error instanceof ApiError && error.code === 'CONFLICT') throw new LeaseLost();
    return undefined;
  }
}
