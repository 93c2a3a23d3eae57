import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, it, jest } from '@jest/globals';
import type { Bus } from '@postroom/events/bus';
import { busFields, busOptions } from '@postroom/events/bus-fields';
import { openBus } from '@postroom/events/open-bus';
import { limiterFields, redisSettings } from '@postroom/limits/limiter-fields';
import { openRedis } from '@postroom/limits/redis-connection';
import { readConfig } from '@postroom/runtime/config';
import { silentLog } from '@postroom/runtime/log';
import { createServiceContext } from '@postroom/runtime/service-context';
import { z } from 'zod';
import { skipAloud } from '../support/skips.ts';

// A real engine on a busy machine takes its time.
jest.setTimeout(60_000);

/** The variables as a service is given them; what stands beside the secured addresses is taken from the environment. */
const env = process.env;
const { SECURED_KAFKA_BROKERS, SECURED_REDIS_URL } = env;
const describeWhen = (address: string | undefined, what: string) => {
  if (!address) skipAloud(`${what}: no address is given`);
  return address ? describe : describe.skip;
};
const context = createServiceContext({ name: 'test', log: silentLog });

describeWhen(
  SECURED_KAFKA_BROKERS,
  'Kafka over TLS with a password (SECURED_KAFKA_BROKERS, KAFKA_SASL_*, KAFKA_TLS_CA)',
)('Kafka over TLS, with a password', () => {
  const opened: Bus[] = [];
  const open = async (variables: NodeJS.ProcessEnv = {}): Promise<Bus> => {
    const given = { ...env, KAFKA_BROKERS: SECURED_KAFKA_BROKERS, KAFKA_TOPIC_PREFIX: 'secured.', ...variables };
    const bus = await openBus({ ...busOptions(readConfig(z.object(busFields), given)), waits: false, context });
    opened.push(bus);
    return bus;
  };
  afterAll(async () => {
    for (const bus of opened) await bus.close();
  });

  it('publishes and consumes by its variables alone', async () => {
    const bus = await open();
    const id = randomUUID();
    const seen = new Promise<string>((resolve) => {
      const onMessage = async (message: { id: string }) => void (message.id === id && resolve(message.id));
      void bus.subscribe({ group: id, topic: 'email.updated', onMessage });
    });
    const message = { id, key: 'k', type: 'email.updated', occurredAt: new Date(), value: Buffer.from('v') };
    await bus.publish('email.updated', [message]);
    expect(await seen).toBe(id);
  });

  it('says in one line that a password is wrong, or that nobody vouches for the certificate', async () => {
    const line = /^Kafka at \S+ cannot be used: [^\n]+$/;
    await expect(open({ KAFKA_SASL_PASSWORD: 'wrong' })).rejects.toThrow(line);
    await expect(open({ KAFKA_TLS_CA: '', KAFKA_TLS_CA_FILE: '', KAFKA_TLS: 'true' })).rejects.toThrow(line);
  });
});

describeWhen(SECURED_REDIS_URL, 'Redis over TLS with a password (SECURED_REDIS_URL, REDIS_TLS_CA)')(
  'Redis over TLS, with a password',
  () => {
    const firstWord = (variables: NodeJS.ProcessEnv = {}): Promise<string> => {
      const given = { ...env, REDIS_URL: SECURED_REDIS_URL, REDIS_CLUSTER: '', ...variables };
      const settings = redisSettings(readConfig(z.object(limiterFields), given));
      if (!settings) throw new Error('no address was read');
      const client = openRedis(settings, silentLog);
      return new Promise<string>((resolve, reject) => {
        client.once('ready', () => void client.ping().then(resolve, reject));
        client.once('error', reject);
      }).finally(() => client.disconnect());
    };

    it('answers by its variables alone', async () => {
      expect(await firstWord()).toBe('PONG');
    });

    it('is not spoken to when nobody vouches for its certificate', async () => {
      await expect(firstWord({ REDIS_TLS_CA: '', REDIS_TLS_CA_FILE: '' })).rejects.toThrow(/certificate/);
    });
  },
);
