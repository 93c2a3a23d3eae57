import { RetryLater } from '@postroom/events/bus';
import type { Clock } from '@postroom/runtime/clock';
import type { Log } from '@postroom/runtime/log';

/** What a failed call says about the model. */
export interface Failure {
  /** `away`: whoever asks next fares no better. `unsure`: perhaps this email is to blame. */
  kind: 'away' | 'unsure';
  /** As the model said itself. */
  retryAfterMs?: number | undefined;
}

export interface Gate {
  /** Makes a call, or throws `RetryLater` while the model is away: then nobody's attempt is counted. */
  run<T>(call: () => Promise<T>): Promise<T>;
}

interface GateDeps {
  clock: Pick<Clock, 'now'>;
  log: Log;
  /** Undefined for what is no failure of the model at all. */
  readFailure: (error: unknown) => Failure | undefined;
}

/** Below the attempts that an event has, so that an outage costs no event its last one. */
const UNSURE_IN_A_ROW = 3;
const FIRST_PAUSE_MS = 1_000;
const LAST_PAUSE_MS = 60_000;
const WHILE_PROBING_MS = 1_000;

/** Shut for a while once the model is away; then one call goes first, and the others when it was answered. */
export function createGate({ clock, log, readFailure }: GateDeps): Gate {
  let shutUntil = 0;
  let isShut = false;
  let isProbing = false;
  let failures = 0;
  let pauseMs = FIRST_PAUSE_MS;

  const open = (): void => {
    if (isShut) log.info('the model is back');
    isShut = false;
    failures = 0;
    pauseMs = FIRST_PAUSE_MS;
  };
  const shut = (error: unknown, retryAfterMs: number | undefined): RetryLater => {
    const forMs = retryAfterMs ?? pauseMs;
    if (!isShut) log.warn({ err: error, forMs }, 'the model is away, emails wait for it');
    if (retryAfterMs === undefined) pauseMs = Math.min(LAST_PAUSE_MS, pauseMs * 2);
    isShut = true;
    shutUntil = Math.max(shutUntil, clock.now() + forMs);
    return new RetryLater(shutUntil - clock.now(), error);
  };

  return {
    run: async (call) => {
      if (shutUntil > clock.now()) throw new RetryLater(shutUntil - clock.now());
      if (isProbing) throw new RetryLater(WHILE_PROBING_MS);
      const isProbe = isShut;
      isProbing = isProbe;
      try {
        const answer = await call();
        open();
        return answer;
      } catch (error) {
        const failure = readFailure(error);
        if (!failure) throw error;
        failures += 1;
        if (failure.kind === 'away') throw shut(error, failure.retryAfterMs);
        // Perhaps this email is to blame after all: it is not the first again, and the others find out.
        if (failures >= UNSURE_IN_A_ROW)
          throw new RetryLater(shut(error, undefined).retryAfterMs + WHILE_PROBING_MS, error);
        throw error;
      } finally {
        if (isProbe) isProbing = false;
      }
    },
  };
}
