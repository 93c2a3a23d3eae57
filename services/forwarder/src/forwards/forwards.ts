import type { ServiceContext } from '@postroom/runtime/service';
import { createOnEmailClassified } from './on-email-classified.ts';
import { createRecentIds } from '@postroom/runtime/recent-ids';
import { type ForwardSweepDeps, sweepForwards } from './sweep.ts';

const MOST_RECENT = 10_000;

/** The two ways in which an email comes to its forwards: by its event, and by a sweep for events that were lost. */
export function createForwards(
  forwards: ForwardSweepDeps['forwards'],
  store: ForwardSweepDeps['store'],
  context: Pick<ServiceContext, 'clock' | 'log'>,
) {
  const recent = createRecentIds(MOST_RECENT);
  return {
    onEmailClassified: createOnEmailClassified(forwards, recent, context.clock),
    startSweep: () => sweepForwards({ forwards, recent, store, ...context }),
  };
}
