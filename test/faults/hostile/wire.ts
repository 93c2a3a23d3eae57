import { connect, type Socket } from 'node:net';
import { apiClient, type ApiClient } from '../../support/client.ts';
import type { Ground, Neighbour, Target } from './attack.ts';

interface Wire {
  socket: Socket;
  /** Once the other side has ended it, or the attack is over. */
  over: Promise<void>;
  send(piece: string | Buffer): void;
}

const FIRST_LINE = /^HTTP\/1\.1 (\d{3})[\s\S]*?\r\n\r\n/;

/** A connection to do with as one likes; one that does not read leaves what comes where it is. */
export function openWire({ baseUrl }: Target, ground: Ground, { reads = true } = {}): Wire {
  const { hostname, port } = new URL(baseUrl);
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
  const end = () => socket.destroy();
  ground.signal.addEventListener('abort', end, { once: true });
  let heard = '';
  if (reads) {
    socket.on('data', (piece: Buffer) => {
      if (heard.length < 4_096) heard += piece.toString('latin1');
    });
  }
  socket.on('error', () => undefined).on('end', end);
  const over = new Promise<void>((resolve) => {
    socket.once('close', () => {
      ground.signal.removeEventListener('abort', end);
      const [head = '', status] = FIRST_LINE.exec(heard) ?? [];
      if (status) ground.note(Number(status), /^retry-after:/im.test(head));
      resolve();
    });
  });
  const send = (piece: string | Buffer) => {
    if (!socket.destroyed && socket.writable) socket.write(piece);
  };
  return { socket, over, send };
}

/** The head of a request as bytes; whatever else is wrong with it is the caller's. */
export function head(line: string, ...fields: string[]): string {
  return [`${line} HTTP/1.1`, 'Host: postroom.example', ...fields, '', ''].join('\r\n');
}

export const bearer = (key: string) => `Authorization: Bearer ${key}`;
export const asJson = 'Content-Type: application/json';
export const inChunks = 'Transfer-Encoding: chunked';

/** As many chunks of one byte as the count says, and none that ends them. */
export const bytesInChunks = (count: number) => Buffer.from('1\r\nx\r\n'.repeat(count));

/** The neighbours by turns, so that the limits of none are used up at once. */
export function neighbourOf({ neighbours }: Target, nth: number): Neighbour {
  return neighbours[nth % neighbours.length] as Neighbour;
}

type Ask = (client: ApiClient, neighbour: Neighbour, nth: number) => ReturnType<ApiClient['get']>;

/** Storms with calls that are well formed, by the key that is named. */
export function calls(key: 'readKey' | 'writeKey', atOnce: number, ask: Ask) {
  return (target: Target, ground: Ground) =>
    ground.storm(atOnce, async (nth) => {
      const neighbour = neighbourOf(target, nth);
      const { status, headers } = await ask(apiClient(target.baseUrl, neighbour[key]), neighbour, nth);
      ground.note(status, headers.has('retry-after'));
      // Told to wait, an attacker does not: it comes again, but not as fast as a processor can turn.
      if (status === 429) await new Promise((resolve) => setTimeout(resolve, 20));
    });
}
