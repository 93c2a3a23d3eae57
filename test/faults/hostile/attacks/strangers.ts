import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Attack, Ground, Target } from '../attack.ts';
import { asJson, bearer, bytesInChunks, head, inChunks, openWire } from '../wire.ts';

const MEGABYTES_IN_BYTES = bytesInChunks(400_000);
const strangeKey = () => `mk_${randomBytes(20).toString('hex')}`;

/** One connection that sends a text and then nothing, so many at once; it is opened anew when it is ended. */
const hangOn = (atOnce: number, text: () => string) => (target: Target, ground: Ground) =>
  ground.storm(atOnce, async () => {
    const wire = openWire(target, ground);
    wire.send(text());
    ground.tally.done++;
    await wire.over;
  });

/** Requests the same path many times on one connection, and never reads an answer. */
const neverReads = (atOnce: number, path: string) => (target: Target, ground: Ground) =>
  ground.storm(atOnce, async () => {
    const wire = openWire(target, ground, { reads: false });
    wire.send(head(`GET ${path}`).repeat(200));
    ground.tally.done++;
    await wire.over;
  });

/** These requests are malformed, or of a kind that the gateway does not serve. */
const ODDITIES = [
  head('CONNECT example.com:443'),
  head('GET /api/v1/emails').replace('HTTP/1.1', 'HTTP/9.9'),
  head('GET /api/v1/emails', `X-Large: ${'x'.repeat(60_000)}`),
  head('GET /api/v1/emails', ...Array.from({ length: 3_000 }, (_, n) => `X-${n}: y`)),
  head(`GET /api/v1/emails/${'%25'.repeat(8_000)}`),
  head('POST /api/v1/labels', inChunks, 'Content-Length: 5', ''),
  head('POST /api/v1/labels', asJson, inChunks) + 'ffffffffffffffffff\r\n',
  head('GET /api/v1/emails', 'Connection: Upgrade', 'Upgrade: h2c', 'HTTP2-Settings: AAAA'),
  'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
  '\r\n'.repeat(5_000),
];

export const strangers: readonly Attack[] = [
  {
    name: 'bodies in chunks of one byte, without a key',
    who: 'stranger',
    run: (target, ground) =>
      ground.storm(32, async () => {
        const wire = openWire(target, ground);
        wire.send(head('POST /api/v1/labels', asJson, inChunks));
        wire.send(MEGABYTES_IN_BYTES);
        await wire.over;
      }),
  },
  {
    name: 'bodies in chunks of one byte, with keys that nobody has',
    who: 'stranger',
    run: (target, ground) =>
      ground.storm(32, async () => {
        const wire = openWire(target, ground);
        wire.send(head('POST /api/v1/labels', bearer(strangeKey()), asJson, inChunks));
        wire.send(MEGABYTES_IN_BYTES);
        await wire.over;
      }),
  },
  {
    name: 'a description of the API that nobody reads',
    who: 'stranger',
    run: neverReads(30, '/api/v1/openapi.json'),
  },
  {
    name: 'the script of the pages, which nobody reads',
    who: 'stranger',
    run: neverReads(30, '/docs/swagger-ui-bundle.js'),
  },
  {
    name: 'heads that never end',
    who: 'stranger',
    run: hangOn(300, () => 'GET /api/v1/emails HTTP/1.1\r\nHost: x\r\nX-Slow: '),
  },
  {
    name: 'bodies that never come, without a key',
    who: 'stranger',
    run: hangOn(300, () => head('POST /api/v1/labels', asJson, 'Content-Length: 262144')),
  },
  {
    name: 'heads a byte at a time',
    who: 'stranger',
    run: (target, ground) =>
      ground.storm(100, async () => {
        const wire = openWire(target, ground);
        for (const letter of head('GET /api/v1/emails', bearer(strangeKey()))) {
          if (wire.socket.destroyed) break;
          wire.send(letter);
          await pause(20);
        }
        await wire.over;
      }),
  },
  {
    name: 'keys that nobody has',
    who: 'stranger',
    run: (target, ground) =>
      ground.storm(60, async () => {
        const wire = openWire(target, ground);
        wire.send(head('GET /api/v1/emails', bearer(strangeKey()), 'Connection: close'));
        await wire.over;
      }),
  },
  {
    name: 'what is no request at all, and CONNECT',
    who: 'stranger',
    run: (target, ground) =>
      ground.storm(20, async (nth) => {
        const wire = openWire(target, ground);
        wire.send(Buffer.from(ODDITIES[nth % ODDITIES.length] as string, 'latin1'));
        // For some texts the gateway waits for more input, so this waits for a while too.
        await Promise.race([wire.over, pause(300)]);
        wire.socket.destroy();
      }),
  },
  {
    name: 'connections that come and go',
    who: 'stranger',
    run: (target, ground) =>
      ground.storm(30, async () => {
        const wire = openWire(target, ground);
        await new Promise<void>((resolve) =>
          wire.socket.once('connect', () => resolve()).once('close', () => resolve()),
        );
        wire.socket.resetAndDestroy();
        await wire.over;
      }),
  },
];
