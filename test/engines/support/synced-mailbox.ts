import type { StackOptions } from '@postroom/local/stack';
import { MailboxSyncServiceDefinition } from '@postroom/proto/postroom/v1/mailbox_sync';
import { connect } from '@postroom/rpc/connect';
import { createServiceContext } from '@postroom/runtime/service-context';
import { startStack, type TestStack } from '../../support/stack.ts';
import type { TestWorkspace } from '../../support/workspace.ts';
import { PASSWORD, type MailServer } from './mail-server.ts';

/** Everything is looked at so often that a test need not wait long. */
export const BRISK = {
  SENT_SCAN: '1s',
  FOLDER_SCAN: '1s',
  POLL: '300ms',
  MAILBOX_LEASE: '4s',
  CLAIMS_PER_SECOND: '200',
  LOGINS_PER_HOST: '200',
};

const CONNECT_MS = 120_000;

export interface SyncedMailbox {
  id: string;
  user: string;
  /** The emails of the mailbox as the API returns them, by subject. */
  shown(): Promise<Record<string, Shown>>;
  state(): Promise<Awaited<ReturnType<SyncClient['getSyncState']>>>;
  syncNow(): Promise<unknown>;
  fetchRaw(emailId: string, limitMs?: number): Promise<Awaited<ReturnType<SyncClient['fetchRaw']>>>;
}

interface Shown {
  id: string;
  folder: string;
  isRead: boolean;
  isStarred: boolean;
}

type SyncClient = ReturnType<typeof connectSync>;

function connectSync(stack: TestStack) {
  const context = createServiceContext({ name: 'test', logLevel: 'silent' });
  return connect(MailboxSyncServiceDefinition, stack.addresses.MAILBOX_SYNC_ADDR, { context });
}

export interface SyncedStack extends TestStack {
  /** A user of a mail server as a mailbox of a workspace. */
  connectUser(workspace: TestWorkspace, user: string, address: string, smtpAddress?: string): Promise<SyncedMailbox>;
}

export async function startSyncedStack(
  variables: Record<string, string> = {},
  options: Pick<Partial<StackOptions>, 'mongodbUri' | 'otlpEndpoint' | 'clock'> = {},
): Promise<SyncedStack> {
  const stack = await startStack({ variables: { ...BRISK, ...variables }, ...options });
  const sync = connectSync(stack);
  return {
    ...stack,
    close: async () => {
      sync.close();
      await stack.close();
    },
    connectUser: async (workspace, user, imapAddress, smtpAddress = '127.0.0.1:1') => {
      const { id } = await connectMailbox(stack, workspace.id, user, { imapAddress, smtpAddress });
      const call = { workspaceId: workspace.id };
      return {
        id,
        user,
        shown: () => shownOf(workspace, id),
        state: () => sync.getSyncState({ mailboxId: id }, call),
        syncNow: () => sync.syncNow({ mailboxId: id }, call),
        fetchRaw: (emailId, limitMs = 10_000) =>
          sync.fetchRaw({ mailboxId: id, emailId }, { ...call, deadline: Date.now() + limitMs }),
      };
    },
  };
}

interface Addresses {
  imapAddress: string;
  smtpAddress: string;
}

function connectMailbox(stack: TestStack, workspaceId: string, user: string, addresses: Addresses) {
  const server = { ...addresses, user, password: PASSWORD, ca: undefined };
  const request = { workspaceId, email: user, name: undefined, aliases: [], withoutTrash: false, server };
  // With many at once, on a busy machine, some wait for their turn.
  return stack.workspaces.connectMailbox(request, { deadline: Date.now() + CONNECT_MS });
}

async function shownOf({ read }: TestWorkspace, mailboxId: string): Promise<Record<string, Shown>> {
  const { body: mailboxes } = await read.get('/mailboxes');
  const mailbox = mailboxes.items.find(({ id }: { id: string }) => id === mailboxId);
  const names = new Map<string, string>(mailbox.folders.map(({ id, name }: Named) => [id, name]));
  const shown: Record<string, Shown> = {};
  let cursor: string | null = null;
  do {
    const page = await read.get(`/emails?mailboxId=${mailboxId}&limit=200${cursor ? `&cursor=${cursor}` : ''}`);
    for (const { id, subject, folderId, isRead, isStarred } of page.body.items) {
      // Two of one subject are two, and neither hides the other.
      const name = subject in shown ? `${subject} (${id})` : subject;
      shown[name] = { id, folder: names.get(folderId) ?? folderId, isRead, isStarred };
    }
    cursor = page.body.nextCursor;
  } while (cursor);
  return shown;
}

interface Named {
  id: string;
  name: string;
}

export type { MailServer };
