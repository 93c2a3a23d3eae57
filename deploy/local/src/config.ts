import { parseArgs } from 'node:util';
import { busFields } from '@postroom/events/bus-fields';
import { type Feature, FEATURES } from '@postroom/contract/lists';
import { limiterFields } from '@postroom/limits/limiter-fields';
import { storeFields } from '@postroom/mail-store/store-fields';
import {
  ConfigError,
  fetchedUrl,
  logLevel,
  mongoUri,
  readConfig,
  secret,
  someOf,
  text,
  url,
} from '@postroom/runtime/config';
import { z } from 'zod';
import { StartOptionError } from './start-option-error.ts';
import { webhookVariables } from './webhook-options.ts';

/** The addresses of real engines, under the names that services use. An address that is set replaces the embedded engine. */
const engineSchema = z.object({
  ...storeFields,
  ...busFields,
  ...limiterFields,
  MONGODB_URI: mongoUri.optional(),
  LLM_BASE_URL: fetchedUrl.optional(),
  LLM_API_KEY: secret.optional(),
  LLM_MODEL: text.optional(),
});
export type EngineVariables = z.infer<typeof engineSchema>;

export interface LocalConfig {
  httpPort: number;
  appPort: number;
  smtpPort: number;
  directory: string;
  fresh: boolean;
  json: boolean;
  help: boolean;
  emails: number;
  features: readonly Feature[];
  logLevel: string;
  /** Variables of the webhook-delivery service, by their names. */
  webhooks: Readonly<Record<string, string>>;
  engines: EngineVariables;
  otlpEndpoint: string | undefined;
}

export const USAGE = `npm start -- [options]

  --port N        HTTP port of the gateway (default: 8080, or a free one where it is taken or another Postroom runs)
  --app-port N    port of the app (default: 8081, or a free one)
  --smtp-port N   SMTP port of the development mail server (default: 2525, or a free one)
  --data DIR      where the data is kept (default: .postroom)
  --fresh         forget the data and seed the demo anew
  --emails N      emails in the demo workspace (default: 2400)
  --open NAMES    open closed parts of the API, with commas between: changes, webhooks, threads
  --webhook-route HOST=IP:PORT   deliver webhooks for this host to this address, as if it were public; repeatable
  --webhook-ca FILE              trust this authority, too, when webhooks are delivered
  --webhook-delays 1,2,3,4       seconds before the second to fifth attempt
  --webhook-disable-after N      seconds of failures after which a webhook is disabled
  --json          print one JSON line when ready
  --log LEVEL     log of the services on standard error: error, warn, info, debug (default: warn)

MONGODB_URI, KAFKA_BROKERS and REDIS_URL each replace the embedded engine when set, LLM_BASE_URL (with LLM_API_KEY and
LLM_MODEL) the judge by words; NAME_FILE names a file that holds it.`;

const options = {
  port: { type: 'string', default: '0' },
  'app-port': { type: 'string', default: '0' },
  'smtp-port': { type: 'string', default: '0' },
  data: { type: 'string', default: '.postroom' },
  fresh: { type: 'boolean', default: false },
  emails: { type: 'string', default: '2400' },
  open: { type: 'string', default: '' },
  'webhook-route': { type: 'string', multiple: true },
  'webhook-ca': { type: 'string' },
  'webhook-delays': { type: 'string' },
  'webhook-disable-after': { type: 'string' },
  json: { type: 'boolean', default: false },
  log: { type: 'string', default: 'warn' },
  help: { type: 'boolean', short: 'h', default: false },
} as const;

export function readLocalConfig(args: string[], env: NodeJS.ProcessEnv = process.env): LocalConfig {
  const values = parse(args);
  const { OTEL_EXPORTER_OTLP_ENDPOINT: otlpEndpoint, ...engines } = readVariables(env);
  return {
    httpPort: wholeNumber('--port', values.port, 0, 65_535),
    appPort: wholeNumber('--app-port', values['app-port'], 0, 65_535),
    smtpPort: wholeNumber('--smtp-port', values['smtp-port'], 0, 65_535),
    directory: values.data,
    fresh: values.fresh,
    json: values.json,
    help: values.help,
    emails: wholeNumber('--emails', values.emails, 0, 1_000_000),
    features: featuresNamed(values.open),
    logLevel: levelNamed(values.log),
    webhooks: webhookVariables(values),
    engines,
    otlpEndpoint,
  };
}

function parse(args: string[]) {
  try {
    return parseArgs({ args, options, strict: true }).values;
  } catch (error) {
    throw new StartOptionError(`${(error as Error).message.split('. ')[0]}; npm start -- --help lists the options`);
  }
}

function wholeNumber(option: string, text: string, min: number, max: number): number {
  const value = Number(text);
  if (Number.isInteger(value) && value >= min && value <= max) return value;
  throw new StartOptionError(`${option} takes a whole number from ${min} to ${max}, not "${text}"`);
}

function featuresNamed(text: string): Feature[] {
  const { data, error } = someOf(FEATURES).safeParse(text);
  if (data) return [...new Set(data)];
  throw new StartOptionError(`--open: ${error?.issues[0]?.message}, not "${text}"`);
}

function levelNamed(text: string): string {
  const { data, error } = logLevel.safeParse(text);
  if (data) return data;
  throw new StartOptionError(`--log: ${error?.issues[0]?.message}, not "${text}"`);
}

function readVariables(env: NodeJS.ProcessEnv) {
  try {
    return readConfig(engineSchema.extend({ OTEL_EXPORTER_OTLP_ENDPOINT: url.optional() }), env);
  } catch (error) {
    if (error instanceof ConfigError) throw new StartOptionError(error.faults.join('\n'));
    throw error;
  }
}
