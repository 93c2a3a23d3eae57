import Redis from 'ioredis';

interface RedisMeter {
  /** Processor microseconds that the server has used so far; always 0 where there is none. */
  micros(): Promise<number>;
  close(): void;
}

export async function redisMeter(url: string | undefined): Promise<RedisMeter> {
  if (!url) return { micros: async () => 0, close: () => undefined };
  const client = new Redis(url);
  return { micros: () => microsOf(client), close: () => client.disconnect() };
}

async function microsOf(client: Redis): Promise<number> {
  const info = await client.info('cpu');
  const seconds = ['used_cpu_user', 'used_cpu_sys'].map((name) =>
    Number(new RegExp(`${name}:([0-9.]+)`).exec(info)?.[1]),
  );
  return seconds.reduce((sum, value) => sum + value, 0) * 1_000_000;
}
