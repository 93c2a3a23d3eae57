import { describe, expect, it } from '@jest/globals';
import { busFields, busOptions } from './bus-fields.ts';

describe('the variables of the bus', () => {
  it('none set: the bus of this process', () => {
    expect(busOptions({})).toEqual({
      waits: true,
      brokers: undefined,
      prefix: undefined,
      tls: undefined,
      sasl: undefined,
    });
  });

  it('a secured broker: user, mechanism and authority', () => {
    const options = busOptions({
      KAFKA_BROKERS: ['kafka-0:9093', 'kafka-1:9093'],
      KAFKA_SASL_USERNAME: 'app',
      KAFKA_SASL_PASSWORD: 'hidden',
      KAFKA_SASL_MECHANISM: busFields.KAFKA_SASL_MECHANISM.parse('SCRAM-SHA-512'),
      KAFKA_TLS_CA: '-----BEGIN CERTIFICATE-----',
    });
    expect(options).toEqual({
      waits: true,
      brokers: ['kafka-0:9093', 'kafka-1:9093'],
      prefix: undefined,
      tls: '-----BEGIN CERTIFICATE-----',
      sasl: { username: 'app', password: 'hidden', mechanism: 'scram-sha-512' },
    });
  });

  it('a user without a password refuses to start, and says which is missing', () => {
    expect(() => busOptions({ KAFKA_SASL_USERNAME: 'app' })).toThrow('KAFKA_SASL_PASSWORD');
  });

  it('an unknown mechanism is named as wrong', () => {
    expect(busFields.KAFKA_SASL_MECHANISM.safeParse('gssapi').success).toBe(false);
  });
});
