import { connect, type Socket } from 'node:net';

interface RawAnswer {
  status: number;
  headers: Record<string, string>;
  /** Parsed, when it is JSON. */
  body: { code?: string; error?: string; details?: Record<string, unknown> } | string;
}

/** Sends bytes that no client library would, and reads the first answer; `more` follows the head, at once or later. */
export function rawHttp(baseUrl: string, lines: string[], more: string | Buffer = '', afterMs = 0): Promise<RawAnswer> {
  const { hostname, port } = new URL(baseUrl);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => {
      socket.write(`${lines.join('\r\n')}\r\n\r\n`);
      if (more.length > 0) setTimeout(() => socket.write(more), afterMs);
    });
    const chunks: Buffer[] = [];
    const tryResolve = () => {
      const answer = parse(Buffer.concat(chunks).toString('utf8'), lines[0]?.startsWith('HEAD ') ?? false);
      if (!answer) return false;
      socket.destroy();
      resolve(answer);
      return true;
    };
    socket.on('data', (chunk) => {
      chunks.push(chunk);
      tryResolve();
    });
    socket.on('close', () => {
      if (!tryResolve()) reject(new Error(`the connection was closed after ${Buffer.concat(chunks).toString('utf8')}`));
    });
    socket.on('error', reject);
  });
}

export interface RawConnection {
  socket: Socket;
  /** All data received so far. */
  heard: () => string;
}

/** A plain TCP connection, for requests that an HTTP client does not send. */
export async function rawConnection(baseUrl: string): Promise<RawConnection> {
  const { hostname, port } = new URL(baseUrl);
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
  let heard = '';
  socket.on('data', (piece) => (heard += piece.toString('latin1'))).on('error', () => undefined);
  await new Promise<void>((resolve) => socket.once('connect', () => resolve()));
  return { socket, heard: () => heard };
}

/** A body in chunks, as `Transfer-Encoding: chunked` writes them. */
export const chunked = (chunks: Buffer[]) =>
  Buffer.concat([
    ...chunks.flatMap((chunk) => [Buffer.from(`${chunk.length.toString(16)}\r\n`), chunk, Buffer.from('\r\n')]),
    Buffer.from('0\r\n\r\n'),
  ]);

function parse(text: string, isHead: boolean): RawAnswer | undefined {
  // An interim answer is not the answer.
  const final = text.replace(/^HTTP\/1\.1 100 [^\r]*\r\n\r\n/, '');
  const end = final.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const [statusLine = '', ...fields] = final.slice(0, end).split('\r\n');
  const headers = Object.fromEntries(
    fields.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  ) as Record<string, string>;
  const length = headers['content-length'];
  const rest = Buffer.from(final.slice(end + 4));
  // Another answer may follow on the same connection.
  const content = rest.subarray(0, length === undefined ? rest.length : Number(length)).toString();
  const status = Number(statusLine.split(' ')[1]);
  if (isHead) return { status, headers, body: '' };
  if (rest.length < Number(length ?? 0)) return undefined;
  return { status, headers, body: headers['content-type']?.includes('json') ? JSON.parse(content) : content };
}
