import type { AddressInfo, Server, Socket } from 'node:net';
import { SMTPServer } from 'smtp-server';

export interface Caught {
  from: string;
  to: string[];
  raw: string;
}

export interface MailSink {
  address: string;
  caught: Caught[];
  /** Refuses nobody and nothing while it is so. */
  takesEverything: boolean;
  close(): Promise<void>;
}

class Refused extends Error {
  readonly responseCode: number;
  constructor(responseCode: number, message: string) {
    super(message);
    this.responseCode = responseCode;
  }
}

/**
 * A mail server that keeps what it accepts. Recipients at refuse.example and defer.example are refused; a message whose
 * text says "cut" is accepted and its answer lost, "silent" gets no answer at all, "reject" is refused as a whole.
 */
export async function openMailSink(): Promise<MailSink> {
  const caught: Caught[] = [];
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    logger: false,
    closeTimeout: 100,
    onRcptTo: ({ address }, _session, done) => {
      if (sink.takesEverything) return done();
      if (address.endsWith('@refuse.example')) return done(new Refused(550, `5.1.1 no such user ${address}`));
      if (address.endsWith('@defer.example')) return done(new Refused(451, '4.3.0 try later'));
      done();
    },
    onData: (stream, session, done) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const raw = Buffer.concat(chunks).toString();
        const { mailFrom, rcptTo } = session.envelope;
        if (raw.includes('please reject')) return done(new Refused(554, '5.7.1 not this message'));
        caught.push({
          from: mailFrom ? mailFrom.address : '',
          to: rcptTo.map(({ address }) => address),
          raw,
        });
        if (raw.includes('please be silent')) return;
        if (raw.includes('please cut')) return sockets.forEach((socket) => socket.destroy());
        done();
      });
    },
  });
  const sockets = new Set<Socket>();
  (server.server as unknown as Server).on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const sink: MailSink = {
    address: `127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    caught,
    takesEverything: false,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
  return sink;
}
