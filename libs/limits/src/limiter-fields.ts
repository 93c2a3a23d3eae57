import { flag, redisUrl, text } from '@postroom/runtime/config';
import type { RedisSettings } from './redis-connection.ts';

/** The variables of the limiter, to be spread into a service's configuration. Each has its `_FILE` form. */
export const limiterFields = {
  REDIS_URL: redisUrl
    .optional()
    .describe(
      '`redis://` or `rediss://` (TLS) with user, password and database. Several addresses with commas between are the nodes of a cluster. Without it, each gateway counts on its own.',
    ),
  REDIS_CLUSTER: flag.optional().describe('`true` for a cluster that is known by one address.'),
  REDIS_TLS_CA: text.optional().describe('PEM of the authority behind `rediss://`, when it is not a public one.'),
};

type LimiterConfig = { [Name in keyof typeof limiterFields]?: ReturnType<(typeof limiterFields)[Name]['parse']> };

export function redisSettings({ REDIS_URL, REDIS_CLUSTER, REDIS_TLS_CA }: LimiterConfig): RedisSettings | undefined {
  return REDIS_URL ? { url: REDIS_URL, cluster: REDIS_CLUSTER, tlsCa: REDIS_TLS_CA } : undefined;
}
