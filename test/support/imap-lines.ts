import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';

/** One mail program that is connected. */
export interface ImapPeer {
  say(...lines: (string | Buffer)[]): void;
  /** Set while it idles. */
  idle: string | undefined;
}

export interface ImapLines {
  address: string;
  close(): Promise<void>;
}

/** A command as it came, its literals in a list of their own. */
export interface ImapCommand {
  tag: string;
  /** Without the tag, and with `{}` for each literal. */
  text: string;
  literals: Buffer[];
}

/** Returns the tagged response after its tag, or undefined when the handler sends the response itself. */
type Answering<P extends ImapPeer> = (peer: P, command: ImapCommand) => string | undefined;

const CRLF = '\r\n';
const LITERAL = /\{(\d+)(\+?)\}$/;

/** A fake IMAP server that parses commands; `answer` provides the responses. */
export async function openImapLines<P extends ImapPeer>(
  greet: (peer: ImapPeer) => P,
  answer: Answering<P>,
): Promise<ImapLines> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy()).on('close', () => sockets.delete(socket));
    const peer = greet({
      idle: undefined,
      say: (...lines) => {
        for (const line of lines) socket.write(typeof line === 'string' ? line + CRLF : line);
      },
    });
    const hear = commandsOf(
      () => peer.say('+ go on'),
      (command) => {
        const [word] = command.text.toUpperCase().split(' ', 1);
        if (peer.idle !== undefined) peer.say(`${peer.idle} OK done`);
        const isDone = peer.idle !== undefined;
        peer.idle = word === 'IDLE' ? command.tag : undefined;
        if (isDone) return;
        if (word === 'IDLE') return peer.say('+ idling');
        const rest = answer(peer, command);
        if (rest !== undefined) peer.say(`${command.tag} ${rest}`);
      },
    );
    socket.on('data', hear);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Puts bytes together until a command is whole. */
function commandsOf(goOn: () => void, take: (command: ImapCommand) => void) {
  let bytes = Buffer.alloc(0);
  let text = '';
  let literals: Buffer[] = [];
  let awaited = 0;
  return (piece: Buffer) => {
    bytes = Buffer.concat([bytes, piece]);
    for (;;) {
      if (awaited > 0) {
        if (bytes.length < awaited) return;
        literals.push(bytes.subarray(0, awaited));
        bytes = bytes.subarray(awaited);
        awaited = 0;
      }
      const end = bytes.indexOf(CRLF);
      if (end === -1) return;
      text += bytes.toString('utf8', 0, end);
      bytes = bytes.subarray(end + CRLF.length);
      const literal = LITERAL.exec(text);
      if (literal) {
        text = text.replace(LITERAL, '{}');
        awaited = Number(literal[1]);
        if (!literal[2]) goOn();
        continue;
      }
      const space = text.indexOf(' ');
      const command = { tag: space === -1 ? text : text.slice(0, space), text: text.slice(space + 1), literals };
      text = '';
      literals = [];
      take(command);
    }
  };
}
