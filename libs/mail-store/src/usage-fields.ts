import { duration } from '@postroom/runtime/config';

/** For the services that count calls. */
export const usageFields = {
  USAGE_FLUSH: duration
    .default(10_000)
    .describe('The interval of storing counted calls. A process that is killed loses the counts of that time.'),
};
