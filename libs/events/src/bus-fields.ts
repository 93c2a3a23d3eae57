import { addresses, flag, secret, text } from '@postroom/runtime/config';
import type { BusOptions } from './open-bus.ts';
import type { SaslMechanism } from './kafka-client.ts';

const mechanisms: readonly string[] = ['plain', 'scram-sha-256', 'scram-sha-512'] satisfies SaslMechanism[];

/** The variables of the bus, to be spread into a service's configuration. Each has its `_FILE` form. */
export const busFields = {
  KAFKA_BROKERS: addresses
    .optional()
    .describe('`host:port` of the brokers, with commas between. Without it, events stay in the process.'),
  KAFKA_TOPIC_PREFIX: text
    .optional()
    .describe('Stands before every topic and group, where installations share a broker.'),
  KAFKA_SASL_USERNAME: text
    .optional()
    .describe('The user name at the brokers. It goes together with `KAFKA_SASL_PASSWORD`.'),
  KAFKA_SASL_PASSWORD: secret.optional().describe('The password at the brokers.'),
  KAFKA_SASL_MECHANISM: text
    .transform((written) => written.toLowerCase())
    .refine((written) => mechanisms.includes(written), `expected ${mechanisms.join(', ')}`)
    .optional()
    .describe('`plain`, `scram-sha-256` or `scram-sha-512`. The default is the last.'),
  KAFKA_TLS: flag.optional().describe('`true` for brokers with a certificate of a public authority.'),
  KAFKA_TLS_CA: text
    .optional()
    .describe('PEM of the authority behind the certificate of the brokers, when it is not a public one.'),
};

type BusConfig = { [Name in keyof typeof busFields]?: ReturnType<(typeof busFields)[Name]['parse']> };

export function busOptions(config: BusConfig): Omit<BusOptions, 'context'> {
  const username = config.KAFKA_SASL_USERNAME;
  const password = config.KAFKA_SASL_PASSWORD;
  const mechanism = config.KAFKA_SASL_MECHANISM as SaslMechanism | undefined;
  if (Boolean(username) !== Boolean(password)) {
    throw new Error('KAFKA_SASL_USERNAME and KAFKA_SASL_PASSWORD go together; only one of them is set');
  }
  return {
    waits: true,
    brokers: config.KAFKA_BROKERS,
    prefix: config.KAFKA_TOPIC_PREFIX,
    tls: config.KAFKA_TLS_CA ?? config.KAFKA_TLS,
    sasl: username && password ? { username, password, mechanism } : undefined,
  };
}
