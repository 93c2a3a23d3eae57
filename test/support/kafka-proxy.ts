import { createServer, type AddressInfo, type Socket } from 'node:net';

/** Kafka API keys of the requests of a SASL login. */
const API_VERSIONS = 18;
const HANDSHAKE = 17;
const AUTHENTICATE = 36;

const int16 = (...values: number[]) => {
  const bytes = Buffer.alloc(values.length * 2);
  values.forEach((value, at) => bytes.writeInt16BE(value, at * 2));
  return bytes;
};
const int32 = (value: number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
};
const text = (value: string) => Buffer.concat([int16(value.length), Buffer.from(value)]);

const SUCCESS = int16(0);
const REFUSED = int16(58);
const ANSWERS: Record<number, Buffer> = {
  [API_VERSIONS]: Buffer.concat([
    SUCCESS,
    int32(3),
    ...[API_VERSIONS, HANDSHAKE, AUTHENTICATE].map((key) => int16(key, 0, key === HANDSHAKE ? 1 : 0)),
  ]),
  [HANDSHAKE]: Buffer.concat([SUCCESS, int32(1), text('PLAIN')]),
  [AUTHENTICATE]: Buffer.concat([REFUSED, text('not with this one'), int32(0)]),
};

/** The login part of a broker. It records the passwords, and refuses every login. */
export async function openKafkaProxy() {
  const heard: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    let waiting = Buffer.alloc(0);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    socket.on('data', (chunk) => {
      waiting = Buffer.concat([waiting, chunk]);
      while (waiting.length >= 4 && waiting.length >= 4 + waiting.readInt32BE(0)) {
        const size = 4 + waiting.readInt32BE(0);
        const key = waiting.readInt16BE(4);
        if (key === AUTHENTICATE) heard.push(waiting.toString('utf8', 4, size).split('\0').at(-1) ?? '');
        const answer = Buffer.concat([waiting.subarray(8, 12), ANSWERS[key] ?? SUCCESS]);
        socket.write(Buffer.concat([int32(answer.length), answer]));
        waiting = waiting.subarray(size);
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    heard,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
