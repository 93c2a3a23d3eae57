import type { Clock } from '@postroom/runtime/clock';
import { silentLog } from '@postroom/runtime/log';
import { createMutex } from '@postroom/runtime/mutex';
import { type Repeating, repeat } from '@postroom/runtime/repeat';

/** A process that died is followed by another after so long. */
export const CLASSIFY_LEASE_MS = 6_000;
const RENEWED_EVERY_MS = 2_000;

/** Another classifier does the work. */
export class TakenByAnother extends Error {}

/** Stores a `notBefore` if the stored one is unchanged since it was read, and returns whether it did. */
type SetNotBefore<Change> = (
  times: { seen: string | undefined; notBefore: string },
  change: Partial<Change>,
) => Promise<boolean>;

export interface WorkLease<Change> {
  /** Takes the work up, and keeps it until the end. It throws `TakenByAnother` where that is not possible. */
  begin(change?: Partial<Change>): Promise<void>;
  /** Sets the time of the next attempt. Nothing changes when another process has taken the work up meanwhile. */
  end(waitMs: number, change?: Partial<Change>): Promise<void>;
  /** Aborted when another process took the work, which happens to a process that stood still. */
  lost: AbortSignal;
  stop(): void;
}

/** Its time is the stored `notBefore`, changed only by a caller that knows its last value: so one classifier has the work at a time. */
export function createLease<Change = Record<never, never>>(
  clock: Clock,
  stored: Date | undefined,
  setNotBefore: SetNotBefore<Change>,
): WorkLease<Change> {
  const lost = new AbortController();
  let renewing: Repeating | undefined;
  let seen = stored?.toISOString();

  const change = async (waitMs: number, more: Partial<Change>): Promise<boolean> => {
    const notBefore = new Date(clock.now() + waitMs).toISOString();
    const isChanged = await setNotBefore({ seen, notBefore }, more);
    if (isChanged) seen = notBefore;
    return isChanged;
  };
  // Each change has to know the value that the change before it has set.
  const mutex = createMutex();
  const set = (waitMs: number, more: Partial<Change> = {}): Promise<boolean> => mutex.run(() => change(waitMs, more));
  const stop = (): void => void renewing?.close();
  const renew = async (): Promise<void> => {
    // A renewal that fails is tried again before the lease runs out.
    const isKept = await set(CLASSIFY_LEASE_MS).catch(() => true);
    if (isKept) return;
    stop();
    lost.abort(new TakenByAnother('another classifier has taken the work up'));
  };

  return {
    lost: lost.signal,
    begin: async (more) => {
      if (!(await set(CLASSIFY_LEASE_MS, more))) throw new TakenByAnother('another classifier was faster');
      const everyMs = RENEWED_EVERY_MS;
      renewing = repeat(renew, { name: 'the renewal', everyMs, firstAfterMs: everyMs, clock, log: silentLog });
    },
    end: async (waitMs, more) => {
      stop();
      await set(waitMs, more);
    },
    stop,
  };
}
