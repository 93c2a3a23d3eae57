import { readFileSync } from 'node:fs';
import type { Mailbox } from '@postroom/proto/postroom/v1/resources';
import { defineCommand, type Command } from './command.ts';
import { optional, repeated, text, unless, UsageError } from './option.ts';
import { Refusal, type Deps } from './deps.ts';

const workspaceId = text('--workspace <id>', 'the workspace');
const mailboxId = text('--mailbox <id>', 'the mailbox');

interface ServerOptions {
  imap: string | undefined;
  smtp: string | undefined;
  user: string | undefined;
  passwordFile: string | undefined;
}

const connect = defineCommand({
  path: ['mailbox', 'connect'],
  summary: 'Connects a mailbox; without --imap it belongs to the development mail server of "npm start"',
  options: {
    workspaceId,
    email: text('--email <address>', 'its address'),
    name: optional('--name <name>', 'the name shown beside the address'),
    aliases: repeated('--alias <address>', 'another address that it sends as and receives; may be repeated'),
    withTrash: unless('--no-trash', 'the mailbox has no trash folder'),
    imap: optional('--imap <host:port>', 'where its mail is read'),
    smtp: optional('--smtp <host:port>', 'where its mail is sent'),
    user: optional('--user <name>', 'the name to log in with'),
    passwordFile: optional('--password-file <file>', 'a file that holds the password'),
  },
  run: async ({ withTrash, email, name, aliases, workspaceId: workspace, ...server }, deps) => {
    const request = { workspaceId: workspace, email, name, aliases, withoutTrash: !withTrash };
    const { id } = await deps.workspaces().connectMailbox({ ...request, server: readServer(server, deps) }, {});
    return { json: { id }, lines: [`Mailbox ${id} is connected.`] };
  },
});

const list = defineCommand({
  path: ['mailbox', 'list'],
  summary: 'Shows the mailboxes of a workspace',
  options: { workspaceId },
  run: async (values, deps) => {
    const { items } = await deps.workspaces().listWorkspaceMailboxes(values, {});
    return {
      json: { items: items.map(toJson) },
      table: {
        head: ['id', 'address', 'name', 'aliases', 'provider', 'status', 'last synced'],
        rows: items.map((mailbox) => [
          mailbox.id,
          mailbox.email,
          mailbox.name ?? '-',
          mailbox.aliases.map(({ email }) => email).join(', ') || '-',
          mailbox.provider,
          mailbox.status,
          mailbox.lastSyncedAt ?? '-',
        ]),
      },
    };
  },
});

const disconnect = defineCommand({
  path: ['mailbox', 'disconnect'],
  summary: 'Stops a mailbox; its emails stay',
  options: { mailboxId },
  run: async (values, deps) => {
    const mailbox = await deps.workspaces().disconnectMailbox(values, {});
    return { json: toJson(mailbox), lines: [`Mailbox ${mailbox.id} is disconnected.`] };
  },
});

const reconnect = defineCommand({
  path: ['mailbox', 'reconnect'],
  summary: 'Revives a mailbox that was disconnected',
  options: { mailboxId },
  run: async (values, deps) => {
    const mailbox = await deps.workspaces().reconnectMailbox(values, {});
    return { json: toJson(mailbox), lines: [`Mailbox ${mailbox.id} is active again.`] };
  },
});

export const mailboxCommands: readonly Command[] = [connect, list, disconnect, reconnect];

/** All four or none: half a mail server would be noticed only when the first mail does not arrive. */
function readServer({ imap, smtp, user, passwordFile }: ServerOptions, deps: Deps) {
  if (!imap && !smtp && !user && !passwordFile) return undefined;
  if (!imap || !smtp || !user || !passwordFile) {
    throw new UsageError('--imap, --smtp, --user and --password-file go together; give all four or none');
  }
  return { imapAddress: imap, smtpAddress: smtp, user, password: readPassword(deps.path(passwordFile)) };
}

function readPassword(file: string): string {
  try {
    return readFileSync(file, 'utf8').replace(/\r?\n$/, '');
  } catch (error) {
    throw new Refusal(`--password-file ${file} cannot be read: ${(error as Error).message}`);
  }
}

function toJson(mailbox: Mailbox) {
  return {
    ...mailbox,
    name: mailbox.name ?? null,
    aliases: mailbox.aliases.map((alias) => ({ ...alias, name: alias.name ?? null })),
    lastSyncedAt: mailbox.lastSyncedAt ?? null,
  };
}
