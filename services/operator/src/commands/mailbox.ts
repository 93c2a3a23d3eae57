import type { Mailbox, TryLoginResponse } from '@postroom/proto/postroom/v1/resources';
import { defineCommand, type Command } from '../command/command.ts';
import { credentialOptions, readCredentials, readServer, serverOptions } from '../mailbox/mail-server.ts';
import { status, syncNow } from '../mailbox/status.ts';
import { abilityLines, tryServer } from '../mailbox/try-server.ts';
import { flagOption, optional, repeated, textOption, unless } from '../command/option.ts';

const workspaceId = textOption('--workspace <id>', 'the workspace');
const isUntried = flagOption('--untried', 'without logging in first to see whether it works');
const mailboxId = textOption('--mailbox <id>', 'the mailbox');

const connect = defineCommand({
  path: ['mailbox', 'connect'],
  summary: 'Connects a mailbox; without --imap it belongs to the development mail server of "npm start"',
  options: {
    workspaceId,
    email: textOption('--email <address>', 'its address'),
    name: optional('--name <name>', 'the name shown beside the address'),
    aliases: repeated('--alias <address>', 'another address that it sends as and receives; may be repeated'),
    withTrash: unless('--no-trash', 'the mailbox has no trash folder'),
    ...serverOptions,
    isUntried,
  },
  run: async ({ withTrash, email, name, aliases, workspaceId: workspace, isUntried: isNotTried, ...options }, deps) => {
    const request = { workspaceId: workspace, email, name, aliases, withoutTrash: !withTrash };
    const server = readServer(options, deps);
    const tried = server && !isNotTried ? await tryServer(server, options.oauthFile, deps) : undefined;
    const { id } = await deps.workspaces().connectMailbox({ ...request, server: tried?.server ?? server }, {});
    const { imap, smtp } = tried ?? {};
    return {
      json: { id, ...(imap && smtp && { imap: toJsonLogin(imap), smtp: toJsonLogin(smtp) }) },
      lines: [...(tried ? abilityLines(tried) : []), `Mailbox ${id} is connected.`],
    };
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
  summary: 'Revives a mailbox that was disconnected, if need be with another password or grant',
  options: { mailboxId, ...credentialOptions, isUntried },
  run: async ({ mailboxId: id, isUntried: isNotTried, ...files }, deps) => {
    const credentials = readCredentials(files, undefined, deps);
    const { server } = await deps.workspaces().locateMailbox({ mailboxId: id }, {});
    const tried =
      server && credentials && !isNotTried
        ? await tryServer({ ...server, ...credentials }, files.oauthFile, deps)
        : undefined;
    const { grant } = tried?.server ?? credentials ?? {};
    const mailbox = await deps.workspaces().reconnectMailbox({ mailboxId: id, ...credentials, grant }, {});
    return {
      json: toJson(mailbox),
      lines: [...(tried ? abilityLines(tried) : []), `Mailbox ${mailbox.id} is active again.`],
    };
  },
});

export const mailboxCommands: readonly Command[] = [connect, list, status, syncNow, disconnect, reconnect];

function toJsonLogin({ address, isEncrypted, capabilities, largestMessage }: TryLoginResponse) {
  return { address, isEncrypted, capabilities, largestMessage: largestMessage ?? null };
}

function toJson(mailbox: Mailbox) {
  return {
    ...mailbox,
    name: mailbox.name ?? null,
    aliases: mailbox.aliases.map((alias) => ({ ...alias, name: alias.name ?? null })),
    lastSyncedAt: mailbox.lastSyncedAt ?? null,
  };
}
