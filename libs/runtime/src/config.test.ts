import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import type { ConfigError } from './config.ts';
import { addresses, duration, flag, mongoUri, port, readConfig, secret, someOf, text } from './config.ts';

const schema = z.object({
  MONGODB_URI: mongoUri,
  GRPC_PORT: port.default(50051),
  LLM_API_KEY: secret,
  SMTP_TIMEOUT: duration.default(30_000),
  VERBOSE: flag.default(false),
  KAFKA_BROKERS: addresses.optional(),
  FEATURES: someOf(['first', 'second']).optional(),
});
const good = { MONGODB_URI: 'mongodb://a:1,b:2/postroom?replicaSet=rs', LLM_API_KEY: 'k' };

function faultsOf(env: NodeJS.ProcessEnv): readonly string[] {
  try {
    readConfig(schema, env);
    return [];
  } catch (error) {
    return (error as ConfigError).faults;
  }
}

describe('readConfig', () => {
  let folder = '';
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'config-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it('reads text into types, and fills in defaults', () => {
    const env = { ...good, GRPC_PORT: '0', SMTP_TIMEOUT: '5m', VERBOSE: 'true', KAFKA_BROKERS: 'a:1, b:2', OTHER: 'x' };
    expect(readConfig(schema, env)).toEqual({
      ...good,
      GRPC_PORT: 0,
      SMTP_TIMEOUT: 300_000,
      VERBOSE: true,
      KAFKA_BROKERS: ['a:1', 'b:2'],
    });
    expect(readConfig(schema, good)).toMatchObject({ GRPC_PORT: 50051, VERBOSE: false });
  });

  it('names every missing and every wrong variable at once, and repeats no value', () => {
    const env = { GRPC_PORT: '70000', SMTP_TIMEOUT: 'soon', VERBOSE: 'perhaps', MONGODB_URI: 'postgres://u:hunter2@h' };
    expect(faultsOf(env)).toEqual([
      'MONGODB_URI is wrong: expected a mongodb:// address',
      'GRPC_PORT is wrong: expected a port, 0 to 65535',
      'LLM_API_KEY is missing',
      'SMTP_TIMEOUT is wrong: expected a duration such as 500ms, 10s or 5m',
      'VERBOSE is wrong: expected true or false',
    ]);
    expect(faultsOf(env).join()).not.toContain('hunter2');
  });

  it('reads a list of names, and refuses one that it does not know', () => {
    expect(readConfig(schema, { ...good, FEATURES: 'second, first' }).FEATURES).toEqual(['second', 'first']);
    expect(faultsOf({ ...good, FEATURES: 'first,thrid' })).toEqual([
      'FEATURES is wrong: expected names out of first, second, with commas between',
    ]);
  });

  it('takes an empty variable as one that is not set', () => {
    expect(faultsOf({ ...good, LLM_API_KEY: '', GRPC_PORT: '' })).toEqual(['LLM_API_KEY is missing']);
  });

  it('reads NAME_FILE from the file, without the newline that editors leave', () => {
    const file = join(folder, 'key');
    writeFileSync(file, 'from-a-file\n');
    const env = { MONGODB_URI: good.MONGODB_URI, LLM_API_KEY_FILE: file };
    expect(readConfig(schema, env).LLM_API_KEY).toBe('from-a-file');
  });

  it('names a file that cannot be read, once, among the other faults', () => {
    const file = join(folder, 'absent');
    expect(faultsOf({ LLM_API_KEY_FILE: file })).toEqual([
      `LLM_API_KEY_FILE names ${file}, which cannot be read (ENOENT)`,
      'MONGODB_URI is missing',
    ]);
  });

  it('refuses NAME and NAME_FILE together, because one of them is a mistake', () => {
    expect(faultsOf({ ...good, LLM_API_KEY_FILE: '/x' })).toEqual([
      'LLM_API_KEY_FILE and LLM_API_KEY are both set; set one',
    ]);
  });

  it('accepts values as they are, so that a test need not write numbers as text', () => {
    expect(
      schema.parse({ ...good, GRPC_PORT: 0, SMTP_TIMEOUT: 5, VERBOSE: true, KAFKA_BROKERS: ['a:1'] }),
    ).toMatchObject({
      GRPC_PORT: 0,
      SMTP_TIMEOUT: 5,
      VERBOSE: true,
    });
  });

  it('says in one text what to mend', () => {
    expect(() => readConfig(z.object({ A: text, B: text }), {})).toThrow(/A is missing\n {2}B is missing/);
  });
});
