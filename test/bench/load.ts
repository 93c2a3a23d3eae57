import { Agent, request } from 'node:http';

export interface Load {
  url: string;
  headers?: Record<string, string>;
  concurrency?: number;
}

/** Asks `count` times over kept connections, a few at a time; any answer but 200 ends the bench. */
export function createLoad({ url, headers = {}, concurrency = 16 }: Load): (count: number) => Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: concurrency });
  const ask = () =>
    new Promise<void>((resolve, reject) => {
      const asked = request(url, { agent, headers }, (answer) => {
        answer.resume();
        if (answer.statusCode !== 200) return reject(new Error(`${url} answered ${answer.statusCode}`));
        answer.once('end', resolve);
      });
      asked.once('error', reject);
      asked.end();
    });
  return async (count) => {
    let left = count;
    const worker = async () => {
      while (left-- > 0) await ask();
    };
    await Promise.all(Array.from({ length: concurrency }, worker));
  };
}
