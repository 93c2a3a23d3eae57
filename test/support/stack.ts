import { openMailStore } from '@postroom/mail-store/connection';
import { migrate } from '@postroom/mail-store/migrate';
import type { Collections } from '@postroom/mail-store/collections';
import { openStack, type Stack, type StackOptions } from '@postroom/local/stack';
import { LabelRuleServiceDefinition } from '@postroom/proto/postroom/v1/label_rule';
import { MailboxWriteServiceDefinition } from '@postroom/proto/postroom/v1/mailbox_write';
import { WorkspaceServiceDefinition } from '@postroom/proto/postroom/v1/workspace';
import { connect } from '@postroom/rpc/connect';
import type { Client } from '@postroom/rpc/definition';
import { createServiceContext } from '@postroom/runtime/service-context';
import { apiClient, type ApiClient } from './client.ts';
import { freshDatabaseUri } from './database.ts';
import { createTestWorkspace, type TestWorkspace, type WorkspaceOptions } from './workspace.ts';

export interface TestStack extends Stack {
  mongodbUri: string;
  /** The database itself, for what no caller can see: records, owed events, foreign data. */
  collections: Collections;
  workspaces: Client<typeof WorkspaceServiceDefinition>;
  mailboxWrite: Client<typeof MailboxWriteServiceDefinition>;
  labelRule: Client<typeof LabelRuleServiceDefinition>;
  client(key?: string): ApiClient;
  workspace(options?: WorkspaceOptions): Promise<TestWorkspace>;
}

/** The real gateway and services on real sockets, over a database of this test file's own. */
export async function startStack(options: Partial<StackOptions> = {}): Promise<TestStack> {
  const mongodbUri = options.mongodbUri ?? freshDatabaseUri();
  const context = createServiceContext({ name: 'test', logLevel: 'silent', clock: options.clock });
  const store = await openMailStore({ uri: mongodbUri, needsSchema: false }, context);
  await migrate(store.connection, context);

  const stack = await openStack({
    redisUrl: process.env.REDIS_URL,
    kafkaBrokers: process.env.KAFKA_BROKERS,
    logLevel: 'silent',
    ...options,
    mongodbUri,
  });
  const workspaces = connect(WorkspaceServiceDefinition, stack.addresses.WORKSPACE_ADDR, { context });
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
    close: async () => {
      await stack.close();
      await store.connection.dropDatabase();
      await context.lifecycle.close();
    },
  };
}
