import { createServer, type AddressInfo, type Socket } from 'node:net';

export type Stage = 'connect' | 'ehlo' | 'mail' | 'rcpt' | 'data' | 'dot' | 'quit';
/**
 * cut: hang up instead of answering. lose: the same before the message counts. drip: a word now and then, and never the
 * last. Else what is answered.
 */
export type Fault = 'cut' | 'lose' | 'silence' | 'drip' | (string & {});

export interface FaultyServer {
  port: number;
  /** The accepted messages as received: the only proof that a message was sent. */
  accepted: string[];
  faults: Partial<Record<Stage, Fault>>;
  refusedRecipients: Record<string, string>;
  /** The number of open connections. */
  connections(): number;
  close(): Promise<void>;
}

const ANSWERS: Record<Stage, string> = {
  connect: '220 test',
  ehlo: '250-test\r\n250 SIZE 1000000',
  mail: '250 ok',
  rcpt: '250 ok',
  data: '354 go on',
  dot: '250 queued',
  quit: '221 bye',
};

/** A server without any TLS that goes wrong at the stage it is told to. */
export async function openFaultyServer(): Promise<FaultyServer> {
  const sockets = new Set<Socket>();
  const state: Pick<FaultyServer, 'accepted' | 'faults' | 'refusedRecipients'> = {
    accepted: [],
    faults: {},
    refusedRecipients: {},
  };
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    converse(socket, state);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = () =>
    new Promise<void>((resolve) => {
      for (const socket of sockets) socket.destroy();
      server.close(() => resolve());
    });
  return Object.assign(state, { port, connections: () => sockets.size, close });
}

function converse(socket: Socket, state: Pick<FaultyServer, 'accepted' | 'faults' | 'refusedRecipients'>): void {
  let buffer = '';
  let isData = false;
  const answer = (stage: Stage, text = ANSWERS[stage]) => {
    const fault = state.faults[stage];
    if (fault === 'cut' || fault === 'lose') socket.destroy();
    else if (fault === 'drip') {
      const dripping = setInterval(() => socket.write('250-wait\r\n'), 50);
      socket.on('close', () => clearInterval(dripping));
    } else if (fault !== 'silence') socket.write(`${fault ?? text}\r\n`);
  };
  answer('connect');
  socket.on('data', (chunk: Buffer) => {
    buffer += chunk.toString('latin1');
    for (;;) {
      const end = buffer.indexOf(isData ? '\r\n.\r\n' : '\r\n');
      if (end === -1) return;
      const line = buffer.slice(0, end);
      buffer = buffer.slice(end + (isData ? 5 : 2));
      if (isData) {
        isData = false;
        const fault = state.faults.dot;
        if (fault === undefined || fault === 'cut' || fault === 'silence' || fault === 'drip')
          state.accepted.push(line);
        answer('dot');
        continue;
      }
      const [verb = ''] = line.toUpperCase().split(/[ :]/);
      if (verb === 'EHLO' || verb === 'HELO') answer('ehlo');
      else if (verb === 'MAIL') answer('mail');
      else if (verb === 'RCPT') answer('rcpt', state.refusedRecipients[/<(.*)>/.exec(line)?.[1] ?? '']);
      else if (verb === 'DATA') {
        isData = state.faults.data === undefined;
        answer('data');
      } else answer('quit');
    }
  });
}
