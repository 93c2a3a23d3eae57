import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { storeFields } from '@postroom/mail-store/store-fields';
import { operatorPortFields } from '@postroom/rpc/operator-port';
import { address, readConfig, secret, url } from '@postroom/runtime/config';
import { grpcTlsFields, grpcTlsOf } from '@postroom/runtime/grpc-tls';
import type { GrpcTls } from '@postroom/runtime/service';
import { z } from 'zod';

export const config = z.object({
  WORKSPACE_OPERATOR_ADDR: address.optional(),
  OPERATOR_TOKEN: operatorPortFields.OPERATOR_TOKEN,
  MAILBOX_WRITE_ADDR: address.optional(),
  MAILBOX_WRITE_OPERATOR_ADDR: address.optional(),
  LABEL_RULE_ADDR: address.optional(),
  OUTBOUND_SEND_OPERATOR_ADDR: address.optional(),
  MAILBOX_SYNC_ADDR: address.optional(),
  OUTBOUND_SEND_ADDR: address.optional(),
  WEBHOOK_DELIVERY_ADDR: address.optional(),
  WEBHOOK_DELIVERY_OPERATOR_ADDR: address.optional(),
  IDENTITY_ADDR: address.optional(),
  IDENTITY_OPERATOR_ADDR: address.optional(),
  APP_URL: url.optional().describe('The address that people open, without a path, for links that commands print.'),
  POSTROOM_URL: url.optional().describe('The REST API, for commands that call it as its users do.'),
  POSTROOM_API_KEY: secret.optional().describe('A key of the REST API, for the same commands.'),
  MONGODB_URI: storeFields.MONGODB_URI.optional(),
  MONGODB_TLS_CA: storeFields.MONGODB_TLS_CA,
  ...grpcTlsFields,
});

/** The files in which a running `npm start` keeps its addresses. */
const RUNNING = { services: '.postroom/addresses.json', api: '.postroom/ready.json' };

const running = config
  .pick({
    WORKSPACE_OPERATOR_ADDR: true,
    OPERATOR_TOKEN: true,
    MAILBOX_WRITE_ADDR: true,
    MAILBOX_WRITE_OPERATOR_ADDR: true,
    LABEL_RULE_ADDR: true,
    OUTBOUND_SEND_OPERATOR_ADDR: true,
    MAILBOX_SYNC_ADDR: true,
    OUTBOUND_SEND_ADDR: true,
    WEBHOOK_DELIVERY_ADDR: true,
    WEBHOOK_DELIVERY_OPERATOR_ADDR: true,
    IDENTITY_ADDR: true,
    IDENTITY_OPERATOR_ADDR: true,
    MONGODB_URI: true,
  })
  .catch({});
const runningApi = z.object({ baseUrl: url.optional(), appUrl: url.optional() }).catch({});

export interface CommandConfig {
  workspace: string | undefined;
  operatorToken: string | undefined;
  mailboxWrite: string | undefined;
  mailboxWriteOperators: string | undefined;
  labelRule: string | undefined;
  sends: string | undefined;
  mailboxSync: string | undefined;
  outboundSend: string | undefined;
  webhookDelivery: string | undefined;
  webhookOperators: string | undefined;
  identity: string | undefined;
  identityOperators: string | undefined;
  /** Of the app, with its path. */
  appUrl: string | undefined;
  api: { baseUrl: string | undefined; key: string | undefined };
  database: { uri: string; tlsCa: string | undefined } | undefined;
  grpcTls: GrpcTls | undefined;
  /** The folder in which the command was typed. Relative paths begin here. */
  directory: string;
}

/** Takes addresses from the environment first, then from a running `npm start` of this folder. */
export function readCommandConfig(env: NodeJS.ProcessEnv = process.env): CommandConfig {
  const given = { ...readRunning(RUNNING.services, running), ...readConfig(config, env) };
  const api: { baseUrl?: string | undefined; appUrl?: string | undefined } = readRunning(RUNNING.api, runningApi);
  const uri = given.MONGODB_URI;
  // npm changes into the repository before it runs a script, and names the original folder in this variable.
  const isFromNpm = env.npm_lifecycle_event === 'postroom';
  return {
    workspace: given.WORKSPACE_OPERATOR_ADDR,
    operatorToken: given.OPERATOR_TOKEN,
    mailboxWrite: given.MAILBOX_WRITE_ADDR,
    mailboxWriteOperators: given.MAILBOX_WRITE_OPERATOR_ADDR,
    labelRule: given.LABEL_RULE_ADDR,
    sends: given.OUTBOUND_SEND_OPERATOR_ADDR,
    mailboxSync: given.MAILBOX_SYNC_ADDR,
    outboundSend: given.OUTBOUND_SEND_ADDR,
    webhookDelivery: given.WEBHOOK_DELIVERY_ADDR,
    webhookOperators: given.WEBHOOK_DELIVERY_OPERATOR_ADDR,
    identity: given.IDENTITY_ADDR,
    identityOperators: given.IDENTITY_OPERATOR_ADDR,
    appUrl: given.APP_URL ? `${new URL(given.APP_URL).origin}/app` : api.appUrl,
    api: {
      baseUrl: given.POSTROOM_URL ?? api.baseUrl,
      key: given.POSTROOM_API_KEY,
    },
    database: uri === undefined ? undefined : { uri, tlsCa: given.MONGODB_TLS_CA },
    grpcTls: grpcTlsOf(given),
    directory: (isFromNpm && env.INIT_CWD) || process.cwd(),
  };
}

function readRunning<T>(file: string, schema: z.ZodType<T>): T | Record<string, never> {
  try {
    return schema.parse(JSON.parse(readFileSync(resolve(file), 'utf8')));
  } catch {
    // A missing file means that nothing runs here. That is no error when the environment has the addresses.
    return {};
  }
}
