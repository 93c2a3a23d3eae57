import { join } from 'node:path';
import { openMailStore } from '@postroom/mail-store/connection';
import { migrate } from '@postroom/mail-store/migrations/migrate';
import { storeSettings } from '@postroom/mail-store/store-fields';
import { MailboxWriteServiceDefinition } from '@postroom/proto/postroom/v1/mailbox_write';
import { WorkspaceServiceDefinition } from '@postroom/proto/postroom/v1/workspace';
import { connect } from '@postroom/rpc/connect';
import type { ServiceContext } from '@postroom/runtime/service';
import { makeFirstKey } from '@postroom/secrets/key-folder';
import type { LocalConfig } from './config.ts';
import { openDataDirectory, type DataDirectory } from './data-directory.ts';
import { demoSignInUrl } from './demo/demo-owner.ts';
import { seedDemo, type DemoWorkspace } from './demo/seed-demo.ts';
import { openDevelopmentMailServer, openOutgoingMailServer } from './development-mail-server.ts';
import { openEngines } from './engines.ts';
import { freePort, keptPort, usualPort } from './free-port.ts';
import { openContext } from './open-context.ts';
import { createOutbox } from './outbox.ts';
import { openOutboxPage } from './outbox-page.ts';
import { greeting, readyLine, type ReadyLine } from './ready-line.ts';
import { unneededServices } from './services.ts';
import { openStack, type Stack } from './stack.ts';

interface Local {
  ready: ReadyLine;
  greeting: string;
  close(): Promise<void>;
}

const HOST = '127.0.0.1';
const HTTP_PORT = 8080;
const APP_PORT = 8081;
const SMTP_PORT = 2525;
const OUTBOX_PORT = 8025;
const MCP_PORT = 8090;

type Say = (line: string) => void;

/** The whole of Postroom in this process: engines, services, demo workspace and mail server. */
export async function startLocal(config: LocalConfig, say: Say): Promise<Local> {
  const directory = openDataDirectory(config.directory, config.fresh);
  const context = openContext({ name: 'local', logLevel: config.logLevel });
  context.lifecycle.add('data folder', () => directory.release());
  const close = async () => {
    directory.remove('ready.json');
    directory.remove('addresses.json');
    await context.lifecycle.close();
  };

  try {
    const ready = await open(config, directory, context, say);
    directory.write('ready.json', ready);
    return { ready, greeting: greeting(ready, config.engines.LLM_BASE_URL), close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function open(
  config: LocalConfig,
  directory: DataDirectory,
  context: ServiceContext,
  say: Say,
): Promise<ReadyLine> {
  const { mongodbUri } = await openEngines(config, directory.path, context.lifecycle, say);
  const keys = join(directory.path, 'keys');
  await makeFirstKey(keys, context.clock.date().toISOString().slice(0, 10));
  const variables = { ...config.engines, MONGODB_URI: mongodbUri, SECRET_KEYS: keys };
  await prepareSchema(variables, config.logLevel);

  say('Starting the services ...');
  const { otlpEndpoint, logLevel, features } = config;
  const httpPort = await portOf(config.httpPort, HTTP_PORT);
  const appPort = await portOf(config.appPort, APP_PORT);
  const outgoingPort = await freePort(0);
  const mcpPort = await rememberedPort(directory, 'mcp', MCP_PORT);
  const stack = await openStack({
    mongodbUri,
    variables: { ...variables, ...config.webhooks, DEVELOPMENT_SMTP_ADDR: `${HOST}:${outgoingPort}` },
    otlpEndpoint,
    logLevel,
    httpPort,
    mcpPort,
    appPort,
    features,
    without: unneededServices(features),
  });
  context.lifecycle.add('services', () => stack.close());
  directory.write('addresses.json', {
    MONGODB_URI: mongodbUri,
    ...stack.addresses,
    OPERATOR_TOKEN: stack.operatorToken,
  });

  const demo = await demoOf(config, directory, stack, context, say);
  const appSignInUrl = await demoSignInUrl(stack, demo.workspaceId, context);
  const mail = await openMail(config, stack, outgoingPort, context);
  return readyLine(stack, demo, { appSignInUrl, features, ...mail });
}

const portOf = (wished: number, usual: number) => (wished === 0 ? usualPort(usual) : freePort(wished));

/** The port of the last start, where it is still free: clients keep the address. */
async function rememberedPort(directory: DataDirectory, name: string, usual: number): Promise<number> {
  const known = directory.read<Record<string, number>>('ports.json') ?? {};
  const port = await (known[name] === undefined ? usualPort(usual) : keptPort(known[name]));
  directory.write('ports.json', { ...known, [name]: port });
  return port;
}

async function prepareSchema(variables: Parameters<typeof storeSettings>[0], logLevel: string): Promise<void> {
  const context = openContext({ name: 'migrate', logLevel });
  const { connection } = await openMailStore({ ...storeSettings(variables), needsSchema: false }, context);
  await migrate(connection, context);
  await context.lifecycle.close();
}

/** Seeded once; from then on the data folder remembers its keys. */
async function demoOf(
  config: LocalConfig,
  directory: DataDirectory,
  stack: Stack,
  context: ServiceContext,
  say: Say,
): Promise<DemoWorkspace> {
  const known = directory.read<DemoWorkspace & { mongodbUri: string | null }>('demo.json');
  // Another database does not know the keys of this one.
  const database = config.engines.MONGODB_URI ?? null;
  if (known && known.mongodbUri === database) return known;

  say(`Seeding the demo workspace with ${config.emails} emails ...`);
  const demo = await seedDemo({
    addresses: stack.addresses,
    operatorToken: stack.operatorToken,
    context,
    emails: config.emails,
    onProgress: (done, all) => say(`  ${done} of ${all} emails`),
  });
  directory.write('demo.json', { ...demo, mongodbUri: database });
  return demo;
}

/** People send mail to one port and the product to another, so that the outbox shows only mail that the product sent. */
async function openMail(config: LocalConfig, stack: Stack, outgoingPort: number, context: ServiceContext) {
  const common = {
    host: HOST,
    workspaces: connect(WorkspaceServiceDefinition, stack.addresses.WORKSPACE_ADDR, { context }),
    mailboxWrite: connect(MailboxWriteServiceDefinition, stack.addresses.MAILBOX_WRITE_ADDR, { context }),
    log: context.log,
  };
  const outbox = createOutbox();
  const page = await openOutboxPage(outbox, HOST, await usualPort(OUTBOX_PORT));
  context.lifecycle.add('outbox page', () => page.close());
  const outgoing = await openOutgoingMailServer({ ...common, port: outgoingPort }, outbox);
  context.lifecycle.add('outgoing mail server', () => outgoing.close());
  const port = await portOf(config.smtpPort, SMTP_PORT);
  const server = await openDevelopmentMailServer({ ...common, port });
  context.lifecycle.add('development mail server', () => server.close());
  return { smtp: { host: HOST, port: server.port }, outboxUrl: page.url };
}
