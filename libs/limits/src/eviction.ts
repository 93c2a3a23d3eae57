import type { Redis } from 'ioredis';
import type { Log } from '@postroom/runtime/log';
import type { RedisClient } from './redis-connection.ts';

const POLICY = /^maxmemory_policy:(\S+)/m;
const WANTED = 'noeviction';

/** Asked at every connection: a Redis that makes room by dropping keys forgets what a workspace has used. */
export function sayWhetherKeysMayGo(client: RedisClient, log: Log): void {
  const ask = () =>
    Promise.all(nodesOf(client).map((node) => node.info('memory'))).then(
      (answers) => {
        const policies = new Set(answers.map((answer) => POLICY.exec(answer)?.[1] ?? 'unknown'));
        const others = [...policies].filter((policy) => policy !== WANTED);
        if (others.length > 0) log.error({ policies: others }, `redis may drop counts: set maxmemory-policy ${WANTED}`);
      },
      (error: unknown) => log.warn({ err: error }, `redis does not say whether its maxmemory-policy is ${WANTED}`),
    );
  client.on('ready', () => void ask());
}

function nodesOf(client: RedisClient): Redis[] {
  return 'nodes' in client ? client.nodes('master') : [client];
}
