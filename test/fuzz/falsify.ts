import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Json } from '../support/client.ts';

/** An answer on its way to the caller. */
interface OnItsWay {
  method: string;
  path: string;
  status: number;
  headers: Headers;
  body: Json;
  /** Sent in place of the body as JSON. */
  text?: string;
}
export type Falsify = (answer: OnItsWay) => void;

/** Stands between callers and the gateway, and does to its answers what a fault of ours would. */
export async function openFalsifier(upstream: string) {
  let falsify: Falsify = () => {};
  const server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => void pass(Buffer.concat(pieces)));
    const pass = async (sent: Buffer) => {
      const { method = '', url: path = '', headers } = request;
      const { authorization, 'content-type': type, 'idempotency-key': key } = headers as Record<string, string>;
      const passed = { authorization, 'content-type': type, 'idempotency-key': key };
      const known = Object.entries(passed).filter((pair): pair is [string, string] => pair[1] !== undefined);
      const got = await fetch(`${upstream}${path}`, { method, headers: known, ...(sent.length > 0 && { body: sent }) });
      const text = await got.text();
      const answer: OnItsWay = {
        method,
        path,
        status: got.status,
        headers: new Headers(got.headers),
        body: text === '' ? undefined : JSON.parse(text),
      };
      falsify(answer);
      answer.headers.delete('content-length');
      response.writeHead(answer.status, Object.fromEntries(answer.headers));
      response.end(answer.text ?? (answer.body === undefined ? undefined : JSON.stringify(answer.body)));
    };
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    falsify: (fault: Falsify) => (falsify = fault),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
