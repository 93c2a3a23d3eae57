import { once } from 'node:events';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { defaultLimits, isLoginRefused, offersOf, openSmtpConnection, SmtpUnfit } from './connection.ts';
import type { SmtpLogin } from './delivery.ts';

const LIMITS = { ...defaultLimits, connectMs: 2_000, silenceMs: 2_000 };

let server: Server;
let port: number;
/** The extensions that the server offers, and the login that it accepts: its initial response, decoded. */
let offers: string;
let good: string;
let logins: string[];
beforeEach(async () => {
  offers = '250-test\r\n250-AUTH PLAIN XOAUTH2\r\n250-SIZE 1000\r\n250 SMTPUTF8\r\n';
  good = 'user=ann\x01auth=Bearer new\x01\x01';
  logins = [];
  server = createServer((socket) => {
    socket.write('220 test\r\n');
    socket
      .on('error', () => undefined)
      .on('data', (chunk: Buffer) => {
        const line = chunk.toString().trim();
        const [, method, response = ''] = /^AUTH (\S+) (\S+)/.exec(line) ?? [];
        if (line.startsWith('EHLO')) socket.write(offers);
        else if (method) {
          logins.push(Buffer.from(response, 'base64').toString());
          if (logins.at(-1) === good) socket.write('235 in\r\n');
          // With XOAUTH2, the server first sends the reason and waits for an empty answer.
          else socket.write(method === 'XOAUTH2' ? '334 eyJzdGF0dXMiOiI0MDEifQ==\r\n' : '535 no\r\n');
        } else socket.write('535 no\r\n');
      });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  port = (server.address() as AddressInfo).port;
});
afterEach(() => void server.close());

const open = async (login: SmtpLogin) => {
  const connection = await openSmtpConnection(
    { host: '127.0.0.1', port, isSecure: false, isPlain: true, login },
    LIMITS,
  );
  connection.close();
  return connection;
};
const refusal = (login: SmtpLogin) =>
  open(login).then(
    () => undefined,
    (error: unknown) => error,
  );

describe('a login by a token', () => {
  it('that was refused is tried once more, with another', async () => {
    await open({ user: 'ann', accessToken: 'old', another: async () => 'new' });
    expect(logins.map((said) => /Bearer (\w+)/.exec(said)?.[1])).toEqual(['old', 'new']);
  });

  it('is tried twice and not again', async () => {
    const error = await refusal({ user: 'ann', accessToken: 'old', another: async () => 'older' });
    expect(isLoginRefused(error)).toBe(true);
    expect(logins).toHaveLength(2);
  });

  it('asks for no other token while the one there is works', async () => {
    const another = () => Promise.reject(new Error('asked for'));
    await open({ user: 'ann', accessToken: 'new', another });
    expect(logins).toHaveLength(1);
  });
});

describe('a login', () => {
  it('that a server has no time for now was not refused', () => {
    expect(isLoginRefused(Object.assign(new Error(), { code: 'EAUTH', responseCode: 454 }))).toBe(false);
    expect(isLoginRefused(Object.assign(new Error(), { code: 'EAUTH', responseCode: 535 }))).toBe(true);
  });

  it('is not left out where the server offers none', async () => {
    offers = '250 test\r\n';
    expect(await refusal({ user: 'ann', password: 'p' })).toBeInstanceOf(SmtpUnfit);
    expect(logins).toEqual([]);
  });

  it('leaves what the server can as it was said before', async () => {
    good = '\0ann\0p';
    expect(offersOf(await open({ user: 'ann', password: 'p' }))).toEqual({
      extensions: expect.arrayContaining(['SMTPUTF8', 'SIZE']),
      largestMessage: 1000,
    });
  });
});
