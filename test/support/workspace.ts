import { randomBytes } from 'node:crypto';
import type { MailboxWriteServiceDefinition } from '@postroom/proto/postroom/v1/mailbox_write';
import type { Mailbox } from '@postroom/proto/postroom/v1/resources';
import type { WorkspaceOperatorServiceDefinition } from '@postroom/proto/postroom/v1/workspace';
import type { Client } from '@postroom/rpc/definition';
import type { ApiClient } from './client.ts';
import { rawMessage, type MessageParts } from './message.ts';

interface Deps {
  workspaces: Client<typeof WorkspaceOperatorServiceDefinition>;
  mailboxWrite: Client<typeof MailboxWriteServiceDefinition>;
  client(key: string): ApiClient;
}

export interface WorkspaceOptions {
  plan?: 'free' | 'premium' | 'expert';
}

interface MailboxOptions {
  email?: string;
  name?: string;
  aliases?: string[];
  withoutTrash?: boolean;
}

export interface TestWorkspace {
  id: string;
  keys: { read: string; write: string; send: string };
  /** Callers with those keys. */
  read: ApiClient;
  write: ApiClient;
  send: ApiClient;
  createKey(options: {
    scopes: string[];
    allowOutboundSend?: boolean;
    expiresAt?: string;
  }): Promise<{ id: string; secret: string }>;
  connectMailbox(options?: MailboxOptions): Promise<Mailbox>;
  /** Takes messages in through the real call; the ids come in the order of the messages. */
  ingest(mailboxId: string, messages: MessageParts[]): Promise<string[]>;
}

/** A tenant of its own for each test, so that tests of one file never see each other's data. */
export async function createTestWorkspace(deps: Deps, options: WorkspaceOptions = {}): Promise<TestWorkspace> {
  const { workspaces } = deps;
  const { id } = await workspaces.createWorkspace({ name: 'Test', plan: options.plan ?? 'expert' }, {});
  const createKey: TestWorkspace['createKey'] = async ({ scopes, allowOutboundSend = false, expiresAt }) => {
    const answer = await workspaces.createKey(
      { workspaceId: id, name: 'test', scopes, allowOutboundSend, expiresAt },
      {},
    );
    return { id: answer.key?.id ?? '', secret: answer.secret };
  };
  // The Free plan has room for two keys: those tests make do without the one that may send.
  const read = (await createKey({ scopes: ['read'] })).secret;
  const write = (await createKey({ scopes: ['read', 'write'] })).secret;
  const send =
    options.plan === 'free' ? write : (await createKey({ scopes: ['read', 'write'], allowOutboundSend: true })).secret;

  return {
    id,
    keys: { read, write, send },
    read: deps.client(read),
    write: deps.client(write),
    send: deps.client(send),
    createKey,
    connectMailbox: ({ email, name, aliases = [], withoutTrash = false } = {}) =>
      workspaces.connectMailbox(
        {
          workspaceId: id,
          email: email ?? `${randomBytes(5).toString('hex')}@example.com`,
          name,
          aliases,
          withoutTrash,
        },
        {},
      ),
    ingest: async (mailboxId, messages) => {
      const answer = await deps.mailboxWrite.ingest(
        { mailboxId, messages: messages.map(rawMessage) },
        { workspaceId: id },
      );
      return answer.outcomes.map(({ emailId, cause }) => emailId ?? `quarantined: ${cause}`);
    },
  };
}
