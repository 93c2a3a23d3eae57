import type { Clock } from '@postroom/runtime/clock';
import type { Log } from '@postroom/runtime/log';

/** Nobody is answered now: the email that was asked about is not to blame, and waits. */
export class ModelUnavailable extends Error {
  readonly retryAfterMs: number;
  constructor(retryAfterMs: number, cause?: unknown) {
    super(`the model answers nothing; again in ${retryAfterMs} ms`, { cause });
    this.retryAfterMs = retryAfterMs;
  }
}

/** The model has too much to do, and answers others all the same: it may have answered them instead of this email. */
export class ModelBusy extends Error {
  readonly retryAfterMs: number;
  constructor(retryAfterMs: number, cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.retryAfterMs = retryAfterMs;
  }
}

/** What a failed call says about the model. */
export interface Failure {
  /** It said that it has too much to do. That it answers others at that time says nothing then. */
  isBusy: boolean;
  /** As it said itself. */
  retryAfterMs?: number | undefined;
}

export interface Availability {
  /** False while the model is known to answer nobody. */
  isAvailable(): boolean;
  /** As above; where it is time to find out, the model is asked the control question first. */
  check(): Promise<boolean>;
  /**
   * Makes a call, which the signal may end. It throws `ModelUnavailable` while the model answers nobody, and `ModelBusy`
   * while it cannot answer all: the email is not to blame then.
   */
  run<T>(call: () => Promise<T>, signal: AbortSignal): Promise<T>;
}

interface AvailabilityDeps {
  clock: Pick<Clock, 'now'>;
  log: Log;
  /** Asks the model something harmless that belongs to nobody. */
  askControl: () => Promise<unknown>;
  readFailure: (error: unknown) => Failure;
}

const FIRST_PAUSE_MS = 1_000;
const LAST_PAUSE_MS = 60_000;

/**
 * Tells an email that the model cannot bear from a model that answers nobody. After a failure the model is asked a
 * control question: where it answers, the email is to blame, unless the model said that it is busy; where it does not, nobody
 * is asked until it does. So no
 * email, and no workspace however many of its emails fail, ever decides about the mail of others.
 */
export function createAvailability(deps: AvailabilityDeps): Availability {
  const { clock, log, askControl, readFailure } = deps;
  let isOpen = true;
  let answers = 0;
  let pauseMs = FIRST_PAUSE_MS;
  let askedAgainAt = 0;
  let asking: Promise<boolean> | undefined;

  const open = (): void => {
    if (!isOpen) log.info('the model answers again');
    isOpen = true;
    answers += 1;
    pauseMs = FIRST_PAUSE_MS;
  };
  const shut = (error: unknown): void => {
    const forMs = readFailure(error).retryAfterMs ?? pauseMs;
    if (isOpen) log.warn({ err: error, forMs }, 'the model answers nothing; emails wait, and it is asked again');
    isOpen = false;
    pauseMs = Math.min(LAST_PAUSE_MS, pauseMs * 2);
    askedAgainAt = clock.now() + forMs;
  };
  /** However many ask at the same time, the question is asked once. */
  const control = (): Promise<boolean> => {
    asking ??= askControl()
      .then(open, shut)
      .then(() => {
        asking = undefined;
        return isOpen;
      });
    return asking;
  };
  const unavailable = (cause?: unknown) => new ModelUnavailable(Math.max(1, askedAgainAt - clock.now()), cause);

  return {
    isAvailable: () => isOpen,
    check: () => (isOpen || clock.now() < askedAgainAt ? Promise.resolve(isOpen) : control()),
    run: async (call, signal) => {
      if (!isOpen) throw unavailable();
      const answersBefore = answers;
      try {
        const answer = await call();
        open();
        return answer;
      } catch (error) {
        if (signal.aborted) throw error;
        if (!isOpen) throw unavailable(error);
        const { isBusy, retryAfterMs = pauseMs } = readFailure(error);
        const othersAreAnswered = answers > answersBefore && !isBusy;
        if (!othersAreAnswered && !(await control())) throw unavailable(error);
        throw isBusy ? new ModelBusy(retryAfterMs, error) : error;
      }
    },
  };
}
