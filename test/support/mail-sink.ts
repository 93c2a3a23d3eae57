import type { AddressInfo, Server, Socket } from 'node:net';
import { SMTPServer, type SMTPServerAuthentication } from 'smtp-server';

interface Caught {
  from: string;
  to: string[];
  raw: string;
}

/** Stages of an SMTP session. `accepted` is before the client gets the answer, `answered` after it. */
export type SmtpStage = 'connected' | 'recipient' | 'data' | 'accepted' | 'answered';

export interface MailSink {
  address: string;
  caught: Caught[];
  /** The only accepted password when logins are required. Every password is accepted while it is undefined. */
  password?: string | undefined;
  /** Whether a token opens the mailbox of a user. Without it, no token does. */
  opens?: ((user: string, token: string) => boolean) | undefined;
  /** Accepts every recipient and message while it is true. */
  takesEverything: boolean;
  /** Called at each stage. The server waits for it. */
  at?: ((stage: SmtpStage) => Promise<void>) | undefined;
  close(): Promise<void>;
}

class Refused extends Error {
  readonly responseCode: number;
  constructor(responseCode: number, message: string) {
    super(message);
    this.responseCode = responseCode;
  }
}

function isLetIn({ username, password, accessToken }: SMTPServerAuthentication, sink: MailSink): boolean {
  if (accessToken !== undefined) return sink.opens?.(username ?? '', accessToken) === true;
  return sink.password === undefined || sink.password === password;
}

/**
 * A mail server that keeps what it accepts. Recipients at refuse.example and defer.example are refused; a message whose
 * text says "cut" is accepted and its answer lost, "silent" gets no answer at all, "reject" is refused as a whole.
 */
export async function openMailSink({ hasLogins = false } = {}): Promise<MailSink> {
  const caught: Caught[] = [];
  const reach = async (stage: SmtpStage) => sink.at?.(stage);
  const server = new SMTPServer({
    disabledCommands: hasLogins ? ['STARTTLS'] : ['AUTH', 'STARTTLS'],
    allowInsecureAuth: true,
    authMethods: ['PLAIN', 'LOGIN', 'XOAUTH2'],
    onAuth: (login, _session, done) =>
      done(isLetIn(login, sink) ? null : new Refused(535, '5.7.8 not with this login'), { user: login.username }),
    disableReverseLookup: true,
    logger: false,
    closeTimeout: 100,
    onConnect: (_session, done) => void reach('connected').then(() => done()),
    onRcptTo: ({ address }, _session, done) => {
      if (sink.at) return void reach('recipient').then(() => done());
      if (sink.takesEverything) return done();
      if (address.endsWith('@refuse.example')) return done(new Refused(550, `5.1.1 no such user ${address}`));
      if (address.endsWith('@defer.example')) return done(new Refused(451, '4.3.0 try later'));
      done();
    },
    onData: (stream, session, done) => {
      const chunks: Buffer[] = [];
      void reach('data');
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
        void reach('accepted')
          .then(() => done())
          .then(() => reach('answered'));
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
