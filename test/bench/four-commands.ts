import type Redis from 'ioredis';

/** A limit by hand, one command awaited after the other: the counts of the minute and of the month. */
export async function fourCommands(client: Redis, id: string): Promise<number[]> {
  const minute = await client.incr(`{${id}}:minute`);
  await client.pttl(`{${id}}:minute`);
  const month = await client.incrby(`{${id}}:month`, 1);
  await client.pttl(`{${id}}:month`);
  return [minute, month];
}
