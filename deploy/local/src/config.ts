import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

export interface LocalConfig {
  httpPort: number;
  smtpPort: number;
  directory: string;
  fresh: boolean;
  json: boolean;
  help: boolean;
  emails: number;
  logLevel: string;
  mongodbUri: string | undefined;
  kafkaBrokers: string | undefined;
  redisUrl: string | undefined;
  otlpEndpoint: string | undefined;
}

export const USAGE = `npm start -- [options]

  --port N        HTTP port of the gateway (default: 8080, or a free one when it is taken)
  --smtp-port N   SMTP port of the development mail server (default: 2525, or a free one)
  --data DIR      where the data is kept (default: .postroom)
  --fresh         forget the data and seed the demo anew
  --emails N      emails in the demo workspace (default: 2400)
  --json          print one JSON line when ready
  --log LEVEL     log of the services on standard error: error, warn, info, debug (default: warn)

MONGODB_URI, KAFKA_BROKERS and REDIS_URL each replace the embedded engine when set.`;

const options = {
  port: { type: 'string', default: '0' },
  'smtp-port': { type: 'string', default: '0' },
  data: { type: 'string', default: '.postroom' },
  fresh: { type: 'boolean', default: false },
  emails: { type: 'string', default: '2400' },
  json: { type: 'boolean', default: false },
  log: { type: 'string', default: 'warn' },
  help: { type: 'boolean', short: 'h', default: false },
} as const;

export class UsageError extends Error {}

export function readLocalConfig(args: string[], env: NodeJS.ProcessEnv = process.env): LocalConfig {
  const values = parse(args);
  return {
    httpPort: wholeNumber('--port', values.port, 0, 65_535),
    smtpPort: wholeNumber('--smtp-port', values['smtp-port'], 0, 65_535),
    directory: values.data,
    fresh: values.fresh,
    json: values.json,
    help: values.help,
    emails: wholeNumber('--emails', values.emails, 0, 1_000_000),
    logLevel: values.log,
    mongodbUri: fromEnv(env, 'MONGODB_URI'),
    kafkaBrokers: fromEnv(env, 'KAFKA_BROKERS'),
    redisUrl: fromEnv(env, 'REDIS_URL'),
    otlpEndpoint: fromEnv(env, 'OTEL_EXPORTER_OTLP_ENDPOINT'),
  };
}

function parse(args: string[]) {
  try {
    return parseArgs({ args, options, strict: true }).values;
  } catch (error) {
    throw new UsageError(`${(error as Error).message.split('. ')[0]}; npm start -- --help lists the options`);
  }
}

function wholeNumber(option: string, text: string, min: number, max: number): number {
  const value = Number(text);
  if (Number.isInteger(value) && value >= min && value <= max) return value;
  throw new UsageError(`${option} takes a whole number from ${min} to ${max}, not "${text}"`);
}

/** NAME, or the content of the file that NAME_FILE points to, as secrets are mounted in a cluster. */
function fromEnv(env: NodeJS.ProcessEnv, name: string): string | undefined {
  const file = env[`${name}_FILE`];
  if (env[name] || !file) return env[name] || undefined;
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    throw new UsageError(`${name}_FILE names ${file}, which cannot be read: ${(error as Error).message}`);
  }
}
