import { expect, it } from '@jest/globals';
import type { SASLOptions } from 'kafkajs';
import { saslOf } from './kafka-client.ts';

interface Asked {
  request: { encode(): Promise<Buffer> };
}
type Provider = (sasl: SASLOptions) => (authenticator: { saslAuthenticate: (asked: Asked) => Promise<void> }) => {
  authenticate(): Promise<void>;
};

it('kafkajs logs in with the password of the day at every connection, though it was made with another', async () => {
  const { default: provider } = (await import('kafkajs/src/broker/saslAuthenticator/plain.js' as string)) as {
    default: Provider;
  };
  const said: string[] = [];
  const settings = { username: 'postroom', password: 'one' };
  const saslAuthenticate = async ({ request }: Asked) => void said.push((await request.encode()).toString());
  // One provider for the life of a client, one of what it gives for each connection.
  const connection = provider(saslOf(settings));
  const authenticator = { saslAuthenticate, logger: { debug: () => undefined, error: () => undefined } };
  await connection(authenticator).authenticate();
  settings.password = 'two';
  await connection(authenticator).authenticate();
  expect(said.map((text) => text.split('\0').slice(-2))).toEqual([
    ['postroom', 'one'],
    ['postroom', 'two'],
  ]);
});
