import { createSocket } from 'node:dgram';
import type { AddressInfo } from 'node:net';

const QUERY_HEAD = 12;
const TYPE_A = 1;

/** A name server on loopback. Each query for an IPv4 address is answered by the next address of the list, at last by the last. */
export async function openNameServer(addresses: readonly string[]) {
  const socket = createSocket('udp4');
  /** The questions for the address of each name. */
  const asked = new Map<string, number>();
  socket.on('message', (query, { address, port }) => {
    const end = query.indexOf(0, QUERY_HEAD) + 5;
    const isIPv4 = query.readUInt16BE(end - 4) === TYPE_A;
    const name = query.subarray(QUERY_HEAD, end).toString('latin1');
    const before = asked.get(name) ?? 0;
    if (isIPv4) asked.set(name, before + 1);
    const head = Buffer.from(query.subarray(0, QUERY_HEAD));
    head.writeUInt16BE(0x8180, 2);
    head.writeUInt16BE(isIPv4 ? 1 : 0, 6);
    head.writeUInt32BE(0, 8);
    const record = Buffer.from([0xc0, QUERY_HEAD, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4]);
    const next = addresses[Math.min(before, addresses.length - 1)] ?? '';
    const answer = isIPv4 ? [record, Buffer.from(next.split('.').map(Number))] : [];
    socket.send(Buffer.concat([head, query.subarray(QUERY_HEAD, end), ...answer]), port, address);
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  return {
    server: `127.0.0.1:${(socket.address() as AddressInfo).port}`,
    /** The numbers of questions, one for each name. */
    counts: (): number[] => [...asked.values()],
    close: () => socket.close(),
  };
}
