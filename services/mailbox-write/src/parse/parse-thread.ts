import type { Worker } from 'node:worker_threads';
import type { Log } from '@postroom/runtime/log';
import type { ParseOutcome, WorkerAnswer, WorkerRequest } from './worker-messages.ts';
import { createWatchdog, type Watchdog } from './watchdog.ts';

export interface Job {
  id: number;
  raw: Uint8Array;
  /** Aborted when nobody waits for it any more. */
  signal: AbortSignal | undefined;
  resolve(outcome: ParseOutcome): void;
  reject(error: Error): void;
  /** The number of threads that died over it. */
  deaths: number;
}

export interface ParseThread {
  takes(job: Job): boolean;
  give(job: Job): void;
  /** The number of its messages without an answer. */
  ahead(): number;
  close(): Promise<void>;
}

export type Death = 'time' | 'crash';

interface Deps {
  log: Log;
  start(): Worker;
  /** Something can be taken again. */
  pump(): void;
  /** These were not to blame, or not surely, and want another try. */
  comeBack(jobs: Job[]): void;
  failAll(error: Error): void;
  onDeath(death: Death): void;
}

/** Ahead of the thread, so that it need not wait for the next message; small enough to share a death cheaply. */
const MOST_AHEAD = 16;
const MOST_BYTES_AHEAD = 512 * 1024;
/** From the last answer to the next. Both limits and a new thread fit into the five seconds a message may take. */
const FIRST_LIMIT_MS = 1_200;
const LAST_LIMIT_MS = 2_000;
const START_LIMIT_MS = 15_000;
const MOST_DEATHS = 2;
const MOST_FAILED_STARTS = 5;

interface State {
  worker: Worker | undefined;
  isReady: boolean;
  isClosed: boolean;
  /** In the order given, which is the order in which the thread answers. */
  inFlight: Job[];
  failedStarts: number;
  death: Death;
  watchdog: Watchdog;
}

export function createParseThread(deps: Deps): ParseThread {
  const watchdog = createWatchdog(() => {
    state.death = 'time';
    void state.worker?.terminate();
  });
  const state: State = {
    worker: undefined,
    isReady: false,
    isClosed: false,
    inFlight: [],
    failedStarts: 0,
    death: 'crash',
    watchdog,
  };
  start(state, deps);
  return {
    takes: (job) => takes(state, deps, job),
    give: (job) => give(state, job),
    ahead: () => state.inFlight.length,
    close: async () => {
      state.isClosed = true;
      watchdog.rest();
      for (const job of state.inFlight.splice(0)) job.reject(new Error('the parsers are closed'));
      await state.worker?.terminate();
    },
  };
}

function takes(state: State, deps: Deps, job: Job): boolean {
  // After too many failed starts a thread waits for work before it tries again.
  if (!state.worker && !state.isClosed) start(state, deps);
  if (!state.isReady) return false;
  const { inFlight } = state;
  if (inFlight.length === 0) return true;
  // A suspect works alone, so that its next death leaves no doubt who was to blame.
  if (job.deaths > 0 || inFlight.some(({ deaths }) => deaths > 0)) return false;
  const bytes = inFlight.reduce((sum, { raw }) => sum + raw.byteLength, job.raw.byteLength);
  return inFlight.length < MOST_AHEAD && bytes <= MOST_BYTES_AHEAD;
}

function give(state: State, job: Job): void {
  state.inFlight.push(job);
  // It is a copy, because the bytes are transferred, and another thread may need the message again.
  const raw = new Uint8Array(job.raw);
  state.worker?.postMessage({ id: job.id, raw } satisfies WorkerRequest, [raw.buffer]);
  if (state.inFlight.length === 1) watchFirst(state);
}

function watchFirst({ inFlight, watchdog }: State): void {
  const [first] = inFlight;
  if (first) watchdog.watch(first.deaths === 0 ? FIRST_LIMIT_MS : LAST_LIMIT_MS);
  else watchdog.rest();
}

function start(state: State, deps: Deps): void {
  const worker = deps.start();
  state.worker = worker;
  state.isReady = false;
  state.death = 'crash';
  worker.on('message', (answer: WorkerAnswer) => onAnswer(state, deps, answer));
  // Running out of memory is announced here and followed by the exit, where everything is dealt with.
  worker.on('error', (error) => {
    deps.log.warn({ code: (error as NodeJS.ErrnoException).code, type: error.name }, 'a parser thread failed');
  });
  worker.on('exit', () => {
    if (!state.isClosed) onExit(state, deps);
  });
  state.watchdog.watch(START_LIMIT_MS);
}

function onAnswer(state: State, deps: Deps, answer: WorkerAnswer): void {
  if (answer.kind === 'ready') {
    state.isReady = true;
    state.failedStarts = 0;
  } else {
    const index = state.inFlight.findIndex(({ id }) => id === answer.id);
    state.inFlight.splice(index, index < 0 ? 0 : 1)[0]?.resolve(answer);
  }
  deps.pump();
  watchFirst(state);
}

function onExit(state: State, deps: Deps): void {
  const wasReady = state.isReady;
  state.worker = undefined;
  state.isReady = false;
  state.watchdog.rest();
  deps.onDeath(state.death);
  const [suspect, ...innocent] = state.inFlight.splice(0);
  if (!wasReady) state.failedStarts += 1;
  // A parser that cannot even start is our fault, never the mail's: callers hear of it and keep their messages.
  if (state.failedStarts >= MOST_FAILED_STARTS) {
    state.failedStarts = 0;
    return deps.failAll(new Error('the parser threads do not start'));
  }
  start(state, deps);
  if (suspect) blame(suspect, innocent, deps);
}

function blame(suspect: Job, innocent: Job[], deps: Deps): void {
  suspect.deaths += 1;
  const isGuilty = suspect.deaths >= MOST_DEATHS;
  if (isGuilty) suspect.resolve({ kind: 'refused', id: suspect.id, cause: 'parsing took too much time or memory' });
  deps.comeBack(isGuilty ? innocent : [suspect, ...innocent]);
}
