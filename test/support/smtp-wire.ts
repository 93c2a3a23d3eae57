import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/**
 * The stages of an SMTP session. The wire calls `at` before it passes on the first data of a connection, AUTH, RCPT,
 * DATA, the first bytes of the message, its end, and the 250 of the server to the whole message.
 */
export const WIRE_STAGES = ['connect', 'auth', 'rcpt', 'data', 'body', 'whole', 'taken'] as const;
type WireStage = (typeof WIRE_STAGES)[number];

export interface Conversation {
  recipients: string[];
  /** Each answer of the server that was passed on. */
  answers: string[];
  /** The wire has passed on the end of the message. */
  isWhole: boolean;
  /** Answer of the server to the whole message, once the wire has passed it on. */
  verdict: string | undefined;
  isOpen: boolean;
  /** The test killed the client while this conversation was open. */
  isCut: boolean;
}

export interface SmtpWire {
  address: string;
  conversations: Conversation[];
  /** Called at each stage. The wire waits for it. */
  at?: ((stage: WireStage, conversation: Conversation) => Promise<void>) | undefined;
  close(): Promise<void>;
}

const STAGE_OF: Readonly<Record<string, WireStage>> = { AUTH: 'auth', RCPT: 'rcpt', DATA: 'data' };
const END = '\r\n.\r\n';

/** A proxy to a mail server that tracks the stage of each conversation. */
export async function openSmtpWire(to: string): Promise<SmtpWire> {
  const [host = '', port = ''] = to.split(':');
  const sockets = new Set<Socket>();
  const keep = (socket: Socket): Socket => {
    sockets.add(socket);
    return socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
  };
  const server = createServer((client) => {
    const conversation: Conversation = {
      recipients: [],
      answers: [],
      isWhole: false,
      verdict: undefined,
      isOpen: true,
      isCut: false,
    };
    wire.conversations.push(conversation);
    const upstream = keep(connect(Number(port), host));
    keep(client).on('close', () => {
      conversation.isOpen = false;
      upstream.destroy();
    });
    upstream.on('close', () => client.destroy());
    const reach = async (stage: WireStage) => wire.at?.(stage, conversation);
    carry(client, upstream, passesOn(conversation, reach));
    carry(upstream, client, passesBack(conversation, reach));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const wire: SmtpWire = {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    conversations: [],
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
  return wire;
}

/** Passes the data on in order, each piece once its stage has resolved. */
function carry(from: Socket, to: Socket, inspect: (piece: string) => Promise<void>): void {
  let before = Promise.resolve();
  from.on('data', (bytes) => {
    before = before.then(async () => {
      await inspect(bytes.toString('latin1'));
      if (to.writable) to.write(bytes);
    });
  });
}

type Reach = (stage: WireStage) => Promise<void>;

/** Several commands may come at once; the message begins once the server has asked for it. */
function passesOn(conversation: Conversation, reach: Reach) {
  let [isFirst, tail] = [true, ''];
  return async (piece: string): Promise<void> => {
    if (isFirst) await reach('connect');
    isFirst = false;
    if (!conversation.answers.at(-1)?.startsWith('354')) return command(piece, conversation, reach);
    if (tail === '') await reach('body');
    tail = (tail + piece).slice(-END.length);
    if (tail !== END) return;
    await reach('whole');
    conversation.isWhole = true;
  };
}

async function command(piece: string, { recipients }: Conversation, reach: Reach): Promise<void> {
  for (const line of piece.split('\r\n')) {
    const recipient = /^RCPT TO:<([^>]*)>/i.exec(line)?.[1];
    if (recipient !== undefined) recipients.push(recipient);
    const stage = STAGE_OF[line.slice(0, 4).toUpperCase()];
    if (stage) await reach(stage);
  }
}

function passesBack(conversation: Conversation, reach: Reach) {
  let rest = '';
  return async (piece: string): Promise<void> => {
    const lines = (rest + piece).split('\r\n');
    rest = lines.pop() ?? '';
    // The last line of each answer says what it is.
    for (const answer of lines.filter((line) => /^\d{3}( |$)/.test(line))) {
      const isVerdict = conversation.isWhole && conversation.verdict === undefined;
      if (isVerdict && answer.startsWith('250')) await reach('taken');
      conversation.answers.push(answer);
      if (isVerdict) conversation.verdict = answer;
    }
  };
}
