import { Kafka, type KafkaConfig, logLevel, type SASLOptions } from 'kafkajs';
import { systemClock } from '@postroom/runtime/clock';
import { type Log, silentLog } from '@postroom/runtime/log';
import { within } from '@postroom/runtime/within';
import { mendKafkajs } from './kafkajs-patch.ts';

export type SaslMechanism = 'plain' | 'scram-sha-256' | 'scram-sha-512';

export interface KafkaSettings {
  brokers: readonly string[];
  clientId: string;
  sasl?: { mechanism?: SaslMechanism | undefined; username: string; password: string } | undefined;
  /** True for a certificate of a public authority, or the PEM of the one that signed it. */
  tls?: boolean | string | undefined;
}

/**
 * On the client, so that producer, consumer and admin all have it: an outage of a minute passes without a crash, and
 * consumers read again a second after the broker is back.
 */
const patientRetry = { retries: 60, initialRetryTime: 200, maxRetryTime: 1_000 };

/** The only way to kafkajs: its known faults are patched here before anything connects. */
export function openKafka({ brokers, clientId, sasl, tls }: KafkaSettings, log: Log, retry = patientRetry): Kafka {
  mendKafkajs();
  const config: KafkaConfig = {
    brokers: [...brokers],
    clientId,
    retry,
    connectionTimeout: 3_000,
    requestTimeout: 10_000,
    logLevel: logLevel.WARN,
    // kafkajs recovers from most errors that it logs, so they are warnings here. The consumer reports the others.
    logCreator: () => (entry) => {
      const { message, groupId, topic, broker, error } = entry.log as Record<string, unknown>;
      const level = entry.level <= logLevel.ERROR ? 'warn' : 'debug';
      log[level]({ groupId, topic, broker, cause: error }, `kafka: ${String(message)}`);
    },
  };
  if (sasl) config.sasl = saslOf(sasl);
  if (tls) config.ssl = typeof tls === 'string' ? { ca: [tls] } : true;
  return new Kafka(config);
}

/** kafkajs asks for the password with every connection, and so is given the one of the day. */
export function saslOf(sasl: NonNullable<KafkaSettings['sasl']>): SASLOptions {
  return {
    mechanism: sasl.mechanism ?? 'scram-sha-512',
    username: sasl.username,
    get password() {
      return sasl.password;
    },
  } as SASLOptions;
}

const FIRST_CONTACT_MS = 10_000;

/** An address, a password or a certificate that is wrong from the start is said in one line, and soon. */
export async function meetKafka(settings: KafkaSettings): Promise<void> {
  const admin = openKafka(settings, silentLog, { ...patientRetry, retries: 8 }).admin();
  const tooLate = () => new Error(`no answer within ${FIRST_CONTACT_MS} ms`);
  try {
    await within({ ms: FIRST_CONTACT_MS, clock: systemClock, tooLate }, () => admin.connect());
  } catch (cause) {
    const said = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`Kafka at ${settings.brokers.join(', ')} cannot be used: ${said}`, { cause });
  } finally {
    await admin.disconnect().catch(() => undefined);
  }
}
