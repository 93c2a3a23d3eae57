import { Agent, request } from 'node:http';

export interface Load {
  url: string;
  /** Those of the n-th request. */
  headers?: (n: number) => Record<string, string>;
  concurrency?: number;
}

/** Asks `count` times over kept connections, a few at a time; any answer but 200 ends the bench. */
export function createLoad({ url, headers = () => ({}), concurrency = 16 }: Load): (count: number) => Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: concurrency });
  let asked = 0;
  const ask = () =>
    new Promise<void>((resolve, reject) => {
      const sent = request(url, { agent, headers: headers(asked++) }, (answer) => {
        answer.resume();
        if (answer.statusCode !== 200) return reject(new Error(`${url} answered ${answer.statusCode}`));
        answer.once('end', resolve);
      });
      sent.once('error', reject);
      sent.end();
    });
  return async (count) => {
    let left = count;
    const worker = async () => {
      while (left-- > 0) await ask();
    };
    await Promise.all(Array.from({ length: concurrency }, worker));
  };
}
