import type { BackfillState } from '@postroom/mail-store/documents/backfill';
import type { EmailPosition } from '../classify/mail-store.ts';
import type { RunnableBackfill } from './backfill-store.ts';

/** The progress of a backfill, as it is stored next. */
export interface RunningBackfill {
  state: BackfillState;
  done: number;
  total: number;
  after: EmailPosition | undefined;
  /** Of those done, the emails that were passed over. */
  skipped: number;
  /** Since the last progress, this one included: a classifier that dies has counted it too. */
  attempts: number;
  cause: string | undefined;
}

/** Of a backfill that is taken up once more. */
export function progressOf({
  done,
  total,
  afterDate,
  afterId,
  skipped = 0,
  attempts = 0,
  cause,
}: RunnableBackfill): RunningBackfill {
  const after = afterDate && afterId !== null ? { date: afterDate, _id: afterId } : undefined;
  return { state: 'running', done, total, after, skipped, attempts: attempts + 1, cause: cause ?? undefined };
}

/** Behind a batch; `isLast` where no email is behind it. */
export function advance(
  progress: RunningBackfill,
  batch: readonly EmailPosition[],
  failures: readonly Error[],
  isLast: boolean,
): void {
  progress.done += batch.length;
  progress.after = batch.at(-1) ?? progress.after;
  progress.skipped += failures.length;
  progress.attempts = 0;
  progress.cause = progress.skipped > 0 ? (failures[0]?.message ?? progress.cause) : undefined;
  if (!isLast) return;
  const { skipped, done, cause } = progress;
  progress.state = skipped > 0 && skipped === done ? 'failed' : 'completed';
  if (skipped > 0) progress.cause = `${skipped} emails were passed over: ${cause}`;
}

export function failBackfill(progress: RunningBackfill): void {
  progress.state = 'failed';
  progress.cause ??= 'every classifier that worked on it ended before it had classified the next emails';
}

export function toRequest({ after, ...progress }: RunningBackfill) {
  const total = Math.max(progress.total, progress.done);
  return { ...progress, total, afterDate: after?.date.toISOString(), afterId: after?._id };
}
