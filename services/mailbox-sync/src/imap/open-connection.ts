import { ImapFlow, type ListResponse, type MailboxObject, type MailboxOpenOptions, type StatusObject } from 'imapflow';
import type { Clock } from '@postroom/runtime/clock';
import { answered } from './answered.ts';
import { fetching } from './fetching.ts';
import type { FolderStatus, ImapConnection, ListedFolder, OpenedFolder } from './imap-connection.ts';
import { toImapFault } from './imap-fault.ts';
import { clientOptions, type ImapAccess } from './imap-server.ts';
import { createLine, type Line } from './line.ts';
import { storing } from './storing.ts';

const STATUS = { messages: true, uidNext: true, uidValidity: true, highestModseq: true } as const;

/** What the library takes and gives beside its types: see its SELECT. */
type OpenOptions = MailboxOpenOptions & { changedSince?: bigint; uidValidity?: bigint };
type Opened = MailboxObject & { qresync?: boolean };

/** Connected, encrypted where it must be, and logged in. Whoever opens it closes it. */
export async function openConnection(access: ImapAccess, timeoutMs: number, clock: Clock): Promise<ImapConnection> {
  const client = new ImapFlow(clientOptions(access, timeoutMs));
  const line = createLine(client, timeoutMs, clock);
  try {
    await line.connect();
  } catch (error) {
    client.close();
    throw toImapFault(error);
  }
  return {
    has: (capability) => client.capabilities.has(capability),
    list: () => line.run(async () => (await client.list({ statusQuery: STATUS })).map(toListedFolder)),
    open: (path, since) => line.run(() => open(client, line, path, since)),
    status: (path) => line.run(async () => toStatus(answered(await client.status(path, STATUS)))),
    ...fetching(client, line),
    ...storing(client, line),
    idle: (over) => line.idle(over),
    close: () => client.close(),
  };
}

type Since = { modseq: bigint; uidValidity: number };

async function open(client: ImapFlow, line: Line, path: string, since?: Since) {
  const vanished: number[] = [];
  const note = ({ uid, path: where }: { uid?: number | undefined; path: string }) => {
    if (uid !== undefined && where === path) vanished.push(uid);
  };
  const options: OpenOptions = since ? { changedSince: since.modseq, uidValidity: BigInt(since.uidValidity) } : {};
  // They are told while the folder opens, and never again.
  client.on('expunge', note);
  try {
    const opened = await client.mailboxOpen(path, options);
    line.forgetChanges();
    return toOpened(opened, vanished);
  } finally {
    client.off('expunge', note);
  }
}

function toOpened(opened: Opened, vanished: readonly number[]): OpenedFolder {
  const { path, exists, uidNext, uidValidity, highestModseq, noModseq, qresync } = opened;
  return {
    path,
    exists,
    uidNext,
    uidValidity: Number(uidValidity),
    highestModseq: noModseq ? null : (highestModseq ?? null),
    vanished: qresync ? vanished : null,
  };
}

function toListedFolder({
  path,
  name,
  delimiter,
  parent,
  flags,
  specialUse,
  specialUseSource,
  status,
}: ListResponse): ListedFolder {
  return {
    path,
    name,
    delimiter,
    parent,
    flags,
    specialUse,
    specialUseSource,
    status: status ? toStatus(status) : null,
  };
}

function toStatus({ messages = 0, uidNext = 0, uidValidity = 0n, highestModseq }: StatusObject): FolderStatus {
  return { messages, uidNext, uidValidity: Number(uidValidity), highestModseq: highestModseq ?? null };
}
