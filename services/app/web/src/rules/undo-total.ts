import type { PeriodUndoAnswer } from '@postroom/app/answers';

export interface PeriodTotal {
  undone: number;
  /** The effects that stay, by reason. */
  stays: readonly { because: string; count: number }[];
}

/** The total with one more answer. */
export function totalOf(total: PeriodTotal, { undone, stays }: PeriodUndoAnswer): PeriodTotal {
  const counts = new Map(total.stays.map(({ because, count }) => [because, count]));
  for (const { because } of stays) counts.set(because, (counts.get(because) ?? 0) + 1);
  return {
    undone: total.undone + undone,
    stays: [...counts].map(([because, count]) => ({ because, count })),
  };
}

/** Two days of the reader's own calendar, both included. */
export function dayPeriod(from: string, to: string): { from: string; to: string } {
  return { from: new Date(`${from}T00:00:00`).toISOString(), to: new Date(`${to}T23:59:59.999`).toISOString() };
}
