import type { Clock } from '@postroom/runtime/clock';
import type { Log } from '@postroom/runtime/log';

/** The model answers nothing now. The email is not to blame, and waits. */
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

/** The facts about the model that a failed call shows. */
export interface ModelFailure {
  /** It reported too much load. Its answers to other questions at that time then prove nothing. */
  isBusy: boolean;
  /** The pause that it asked for. */
  retryAfterMs?: number | undefined;
}

export interface Availability {
  /** False while the model is known to answer nothing. */
  isAvailable(): boolean;
  /** As above; where it is time to find out, the model is asked the control question first. */
  check(): Promise<boolean>;
  /**
   * Makes a call, which the signal may end. It throws `ModelUnavailable` while the model answers nothing, and `ModelBusy`
   * while it cannot answer every call. The email is not to blame then.
   */
  run<T>(call: () => Promise<T>, signal: AbortSignal): Promise<T>;
}

interface AvailabilityDeps {
  clock: Pick<Clock, 'now'>;
  log: Log;
  /** Asks the model the control question, which is about no email. */
  askControl: () => Promise<unknown>;
  readFailure: (error: unknown) => ModelFailure;
}

const FIRST_PAUSE_MS = 1_000;
const LAST_PAUSE_MS = 60_000;

/**
 * Distinguishes an email on which the model fails from a model that answers nothing. After a failure the model gets a
 * control question. If it answers, the email is to blame, unless the model reported too much load. If it does not, no
 * email is tried until it answers. So no email, and no workspace with many failing emails, decides about the mail of
 * others.
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
