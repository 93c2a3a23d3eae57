import { ApiError } from '@postroom/errors/api-error';
import { refuse } from '@postroom/errors/refuse';
import { addressKey } from '@postroom/contract/address';
import type { FolderType } from '@postroom/contract/lists';
import type { MailboxDocument } from '@postroom/mail-store/documents/mailbox';
import { toMessageMailbox } from '@postroom/mail-store/mailbox-message';
import type {
  ConnectMailboxRequest,
  MailServer,
  WorkspaceOperatorServiceDefinition,
  WorkspaceServiceDefinition,
} from '@postroom/proto/postroom/v1/workspace';
import type { Call } from '@postroom/rpc/call';
import type { Handlers } from '@postroom/rpc/definition';
import type { ServiceContext } from '@postroom/runtime/service';
import { secretOf } from '@postroom/secrets/secret';
import { parseRequest } from '@postroom/rpc/parse-request';
import type { WorkspaceLookupStore } from '../lookup/workspace-lookup-store.ts';
import { connectMailboxRules, reconnectMailboxRules, unknownMailbox, unknownWorkspace } from '../requests/requests.ts';
import { beforeAnySync } from '../sync-state/sync-state.ts';
import type { Credentials, CredentialStore, Vault } from '../vault/vault.ts';
import type { WorkspaceStore } from '../workspaces/workspaces.ts';
import { grantHandlers, grantOf, type GrantDeps } from './grants.ts';
import type { MailboxStore } from './mailbox-store.ts';

export type { MailboxStore };

const FOLDERS: readonly { type: FolderType; name: string }[] = [
  { type: 'INBOX', name: 'Inbox' },
  { type: 'SENT', name: 'Sent' },
  { type: 'DRAFTS', name: 'Drafts' },
  { type: 'SPAM', name: 'Spam' },
  { type: 'TRASH', name: 'Trash' },
];

export interface MailboxDeps extends GrantDeps {
  context: Pick<ServiceContext, 'clock' | 'ids'>;
  lookup: Pick<WorkspaceLookupStore, 'findMailbox' | 'findRecipients'>;
  workspaces: Pick<WorkspaceStore, 'find'>;
  mailboxes: MailboxStore;
  credentials: Pick<CredentialStore, 'replace'>;
  vault: Pick<Vault, 'seal'>;
}

export function mailboxHandlers(deps: MailboxDeps) {
  const { workspaces, mailboxes, lookup } = deps;

  /** Operators name a mailbox by its id alone, so the workspace is looked up first. */
  const locate = async (mailboxId: string, call: Call) => {
    const mailbox = await lookup.findMailbox(mailboxId, call);
    if (!mailbox) throw unknownMailbox(mailboxId);
    return mailbox;
  };

  const setStatus = async (mailboxId: string, status: MailboxDocument['status'], call: Call) => {
    const { workspaceId } = await locate(mailboxId, call);
    const changed = await mailboxes.setStatus(workspaceId, mailboxId, status, call);
    if (!changed) throw unknownMailbox(mailboxId);
    return toMessageMailbox(changed);
  };

  return {
    ...grantHandlers(deps),

    connectMailbox: (request, call) => connectMailbox(request, call, deps),

    listWorkspaceMailboxes: async ({ workspaceId }, call) => {
      if (!(await workspaces.find(workspaceId, call))) throw unknownWorkspace(workspaceId);
      return { items: (await mailboxes.list(workspaceId, call)).map(toMessageMailbox) };
    },

    disconnectMailbox: ({ mailboxId }, call) => setStatus(mailboxId, 'disconnected', call),

    reconnectMailbox: async (request, call) => {
      const { password, grant } = parseRequest(reconnectMailboxRules, request);
      const { workspaceId, _id: mailboxId, server } = await locate(request.mailboxId, call);
      if (password !== undefined || grant) {
        if (!server) return refuse('mailbox', 'has no mail server to log in to');
        const sealed = await deps.vault.seal({ workspaceId, mailboxId }, credentialsOf({ password, grant }));
        await deps.credentials.replace(workspaceId, mailboxId, { credentials: sealed }, call);
      }
      return setStatus(mailboxId, 'active', call);
    },

    findRecipient: async ({ address }, call) => {
      const found = await lookup.findRecipients(addressKey(address), call);
      return { recipients: found.map(({ _id, workspaceId }) => ({ workspaceId, mailboxId: _id })) };
    },

    locateMailbox: async ({ mailboxId }, call) => {
      const mailbox = await locate(mailboxId, call);
      const server = mailbox.server ? toMessageServer(mailbox.server) : undefined;
      return { workspaceId: mailbox.workspaceId, mailbox: toMessageMailbox(mailbox), server };
    },
  } satisfies Partial<Handlers<WorkspaceServiceDefinition> & Handlers<WorkspaceOperatorServiceDefinition>>;
}

async function connectMailbox(request: ConnectMailboxRequest, call: Call, deps: MailboxDeps) {
  const { workspaces, vault } = deps;
  const { workspaceId } = request;
  const { email, name, aliases, withoutTrash, server } = parseRequest(connectMailboxRules, request);
  if (!(await workspaces.find(workspaceId, call))) throw unknownWorkspace(workspaceId);

  const mailboxId = deps.context.ids('mbx');
  const credentials = server ? await vault.seal({ workspaceId, mailboxId }, credentialsOf(server)) : null;
  const login = { server: server ? serverPart(server) : null, credentials };
  return insertMailbox(workspaceId, { mailboxId, email, name, aliases, withoutTrash, ...login }, deps);
}

type Login = Pick<MailboxDocument, 'server' | 'credentials'>;

interface NewMailbox extends Login {
  mailboxId: string;
  email: string;
  name?: string | undefined;
  aliases?: readonly string[];
  withoutTrash?: boolean;
}

/** A mailbox whose credentials are sealed already. */
export async function insertMailbox(
  workspaceId: string,
  { mailboxId, email, name, aliases = [], withoutTrash = false, ...login }: NewMailbox,
  { mailboxes, context: { clock, ids } }: Pick<MailboxDeps, 'mailboxes' | 'context'>,
) {
  const folders = FOLDERS.filter(({ type }) => !(withoutTrash && type === 'TRASH'));
  const mailbox = await mailboxes.insert(workspaceId, {
    _id: mailboxId,
    email,
    emailKey: addressKey(email),
    recipientKeys: [...new Set([email, ...aliases].map(addressKey))],
    name: name ?? null,
    provider: login.server ? 'imap' : 'development',
    status: 'active',
    // The operator who connects a mailbox vouches for its aliases.
    aliases: aliases.map((alias) => ({ email: alias, name: null, verified: true })),
    folders: folders.map((folder) => ({ id: ids('fld'), ...folder })),
    ...login,
    tokenLock: { epoch: 1, holder: null, until: null },
    lastSyncedAt: null,
    sync: beforeAnySync,
    createdAt: clock.date(),
  });
  if (mailbox) return toMessageMailbox(mailbox);
  const message = `The workspace has a mailbox ${email} already; "postroom mailbox list" shows it, and "postroom mailbox reconnect" revives one that is disconnected.`;
  throw new ApiError('CONFLICT', { message });
}

/** Another server and other credentials for a mailbox, which is active from then on. */
export async function replaceLogin(
  workspaceId: string,
  mailboxId: string,
  { server, credentials }: { [Field in keyof Login]: NonNullable<Login[Field]> },
  call: Call,
  deps: Pick<MailboxDeps, 'mailboxes' | 'credentials'>,
) {
  await deps.credentials.replace(workspaceId, mailboxId, { credentials, server }, call);
  const changed = await deps.mailboxes.setStatus(workspaceId, mailboxId, 'active', call);
  if (!changed) throw unknownMailbox(mailboxId);
  return toMessageMailbox(changed);
}

function serverPart({
  imapAddress,
  smtpAddress,
  user,
  ca = '',
}: Pick<MailServer, 'imapAddress' | 'smtpAddress' | 'user' | 'ca'>) {
  return { imapAddress, smtpAddress, user, ca };
}

/** Nobody may see its credentials. */
const toMessageServer = ({ ca, ...server }: NonNullable<MailboxDocument['server']>): MailServer => ({
  ...server,
  ca: ca || undefined,
  password: '',
  grant: undefined,
});

/** The validation ensures that one of the two is present. */
function credentialsOf({ password = '', grant }: Partial<Pick<MailServer, 'password' | 'grant'>>): Credentials {
  return grant ? { kind: 'oauth', grant: grantOf(grant) } : { kind: 'password', password: secretOf(password) };
}
