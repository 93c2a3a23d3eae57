import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FEATURES } from '@postroom/contract/lists';
import { openMailStore } from '@postroom/mail-store/connection';
import { migrate } from '@postroom/mail-store/migrations/migrate';
import type { Collections } from '@postroom/mail-store/collections';
import { openStack, type Stack, type StackOptions } from '@postroom/local/stack';
import { LabelRuleServiceDefinition } from '@postroom/proto/postroom/v1/label_rule';
import { MailboxWriteServiceDefinition } from '@postroom/proto/postroom/v1/mailbox_write';
import { WorkspaceOperatorServiceDefinition } from '@postroom/proto/postroom/v1/workspace';
import { connect } from '@postroom/rpc/connect';
import type { Client } from '@postroom/rpc/definition';
import type { ServiceContext } from '@postroom/runtime/service';
import { createServiceContext } from '@postroom/runtime/service-context';
import { makeFirstKey } from '@postroom/secrets/key-folder';
import { apiClient, type ApiClient } from './client.ts';
import { freshDatabaseUri } from './database.ts';
import { QUICK_PASSWORDS } from './quick-passwords.ts';
import { createTestWorkspace, type TestWorkspace, type WorkspaceOptions } from './workspace.ts';

export interface TestStack extends Stack {
  mongodbUri: string;
  /** The database itself, for what no caller can see: records, unpublished events, foreign data. */
  collections: Collections;
  workspaces: Client<typeof WorkspaceOperatorServiceDefinition>;
  mailboxWrite: Client<typeof MailboxWriteServiceDefinition>;
  labelRule: Client<typeof LabelRuleServiceDefinition>;
  client(key?: string): ApiClient;
  workspace(options?: WorkspaceOptions): Promise<TestWorkspace>;
}

/** Files that run at the same time share a broker, and would take each other's events out of one group. */
const KAFKA_TOPIC_PREFIX = `test${process.env['JEST_WORKER_ID'] ?? ''}.`;

export interface TestStackOptions extends Partial<StackOptions> {
  /** The services beside the gateway that callers reach. They take a while to open, so few tests have them. */
  beside?: readonly Beside[];
}

const BESIDE = ['app', 'mcp'] as const;
type Beside = (typeof BESIDE)[number];

/** The real gateway and services on real sockets, over a database of this test file's own. */
export async function startStack(options: TestStackOptions = {}): Promise<TestStack> {
  const context = createServiceContext({ name: 'test', logLevel: 'silent' });
  try {
    return await openIn(context, options);
  } catch (error) {
    // An open connection would keep the process of the tests alive.
    await context.lifecycle.close();
    throw error;
  }
}

async function openIn(context: ServiceContext, { beside = [], ...options }: TestStackOptions): Promise<TestStack> {
  const { lifecycle } = context;
  const mongodbUri = options.mongodbUri ?? freshDatabaseUri();
  const store = await openMailStore({ uri: mongodbUri, needsSchema: false }, context);
  lifecycle.add('database', () => store.connection.dropDatabase());
  await migrate(store.connection, context);

  const keys = await mkdtemp(join(tmpdir(), 'postroom-keys-'));
  lifecycle.add('keys', () => rm(keys, { recursive: true }));
  await makeFirstKey(keys, '2026-01-01');
  const stack = await openStack({
    redisUrl: process.env.REDIS_URL,
    kafkaBrokers: process.env.KAFKA_BROKERS,
    logLevel: 'silent',
    // A test of a closed gateway says so; the others are about every endpoint there is.
    features: FEATURES,
    ...options,
    without: [...BESIDE.filter((name) => !beside.includes(name)), ...(options.without ?? [])],
    variables: { SECRET_KEYS: keys, KAFKA_TOPIC_PREFIX, ...QUICK_PASSWORDS, ...options.variables },
    mongodbUri,
  });
  lifecycle.add('stack', () => stack.close());
  const workspaces = connect(WorkspaceOperatorServiceDefinition, stack.addresses.WORKSPACE_OPERATOR_ADDR, {
    context,
    token: stack.operatorToken,
  });
  const mailboxWrite = connect(MailboxWriteServiceDefinition, stack.addresses.MAILBOX_WRITE_ADDR, { context });
  const labelRule = connect(LabelRuleServiceDefinition, stack.addresses.LABEL_RULE_ADDR, { context });
  const client = (key?: string) => apiClient(stack.baseUrl, key);
  return {
    ...stack,
    mongodbUri,
    collections: store.collections,
    workspaces,
    mailboxWrite,
    labelRule,
    client,
    workspace: (workspaceOptions) => createTestWorkspace({ workspaces, mailboxWrite, client }, workspaceOptions),
    close: () => lifecycle.close(),
  };
}
