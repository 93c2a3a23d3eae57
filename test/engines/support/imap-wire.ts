import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';

/** A point of an IMAP session: before the server gets a command, or after it has answered. */
export interface WirePoint {
  command: RegExp;
  when: 'asked' | 'answered';
}

export interface ImapWire {
  address: string;
  /** Calls `act` once at this point, and then cuts the connection without passing the data on. */
  at(point: WirePoint, act: () => void): void;
  /** Refuses these commands in the name of the server; null for none. */
  refuse(command: RegExp | null): void;
  refusals(): number;
  close(): Promise<void>;
}

/** A proxy between a mailbox and its mail server that reads the commands and the answers. */
export async function openImapWire(target: string): Promise<ImapWire> {
  const [host = '', port] = target.split(':');
  let refused: RegExp | null = null;
  let refusals = 0;
  let awaited: { point: WirePoint; act: () => void } | undefined;
  const server = createServer((inner) => {
    const outer = connect(Number(port), host);
    let isAnswer = false;
    const end = () => {
      inner.destroy();
      outer.destroy();
    };
    const happen = () => {
      const { act } = awaited ?? {};
      awaited = undefined;
      act?.();
      end();
    };
    for (const socket of [inner, outer]) socket.on('error', end).on('close', end);
    inner.on('data', (bytes) => {
      const isPoint = awaited?.point.command.test(bytes.toString('latin1')) ?? false;
      if (isPoint && awaited?.point.when === 'asked') return happen();
      isAnswer ||= isPoint;
      if (refused?.test(bytes.toString('latin1'))) {
        refusals += 1;
        return void inner.write(`${bytes.toString('latin1').split(' ', 1)[0]} NO [CANNOT] not this\r\n`);
      }
      outer.write(bytes);
    });
    outer.on('data', (bytes) => {
      if (!isAnswer) inner.write(bytes);
      // The whole of the answer: what was asked for is done.
      else if (/^\w+ (OK|NO|BAD) /m.test(bytes.toString('latin1'))) happen();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    at: (point, act) => {
      awaited = { point, act };
    },
    refuse: (command) => {
      refused = command;
    },
    refusals: () => refusals,
    close: async () => {
      server.close();
      await Promise.resolve();
    },
  };
}
