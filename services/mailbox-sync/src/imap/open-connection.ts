import {
  type ExpungeEvent,
  ImapFlow,
  type ListResponse,
  type MailboxObject,
  type MailboxOpenOptions,
  type StatusObject,
} from 'imapflow';
import { cutOnAbort } from '@postroom/runtime/abort';
import type { Clock } from '@postroom/runtime/clock';
import { requireAnswer } from './require-answer.ts';
import { fetching } from './fetching.ts';
import type { FolderStatus, ImapConnection, ListedFolder, OpenedFolder } from './imap-connection.ts';
import { ImapFault, toImapFault } from './imap-fault.ts';
import { clientOptions, type ImapAccess } from './imap-server.ts';
import { isOpen, validFolders } from './valid-folders.ts';
import { createCommands, type Commands } from './commands.ts';
import { storing } from './storing.ts';

const STATUS = { messages: true, uidNext: true, uidValidity: true, highestModseq: true } as const;

/** More than this many are found by holding everything against what is stored. */
const MOST_VANISHED = 20_000;
const MOST_MESSAGES = 2_000_000;
const GONE_AT_ONCE = 10_000;
/** UIDs are 32 bits wide, and so is the next one. */
const isUid = (value: number) => Number.isInteger(value) && value >= 1 && value < 2 ** 32;

/** Options and results of the library's SELECT that its types leave out. */
type OpenOptions = MailboxOpenOptions & { changedSince?: bigint; uidValidity?: bigint };
type Opened = MailboxObject & { qresync?: boolean };

interface OpeningOptions {
  /** The time of one command. */
  timeoutMs: number;
  clock: Clock;
  signal: AbortSignal;
}

/** Connects, with encryption where it is required, and logs in until the signal is aborted. The caller closes the connection. */
export async function openConnection(
  access: ImapAccess,
  { timeoutMs, clock, signal }: OpeningOptions,
): Promise<ImapConnection> {
  const expungeHandler = goneTold(() => client);
  const client: ImapFlow = new ImapFlow({ ...clientOptions(access, timeoutMs), expungeHandler });
  const commands = createCommands(client, timeoutMs, clock);
  try {
    await cutOnAbort(signal, () => client.close(), commands.connect);
  } catch (error) {
    client.close();
    throw toImapFault(error);
  }
  return {
    has: (capability) => client.capabilities.has(capability),
    list: () => list(client, commands),
    open: (path, since) => commands.run(() => open(client, commands, path, since)),
    status: (path) => statusOf(client, commands, path),
    ...fetching(client, commands),
    ...storing(client, commands),
    idle: (over) => commands.idle(over),
    close: () => client.close(),
  };
}

/**
 * One answer of a provider may name sixteen million vanished messages, and the library reports each. Other work runs in
 * between. Reports after the largest possible folder, or after the end, are ignored.
 */
function goneTold(client: () => ImapFlow) {
  let count = 0;
  return async (told: ExpungeEvent): Promise<void> => {
    count += 1;
    if (count % GONE_AT_ONCE === 0) await new Promise((resolve) => setImmediate(resolve));
    if (count > MOST_MESSAGES) client().close();
    if (!client().usable) return new Promise<never>(() => undefined);
    client().emit('expunge', told);
  };
}

/** When one command cannot give the status of all folders, each status request has its own time limit. */
async function list(client: ImapFlow, commands: Commands): Promise<ListedFolder[]> {
  const isTold = client.capabilities.has('LIST-STATUS');
  const listed = await commands.run(() => client.list(isTold ? { statusQuery: STATUS } : {}));
  const folders = validFolders(listed.map(toListedFolder));
  if (isTold) return folders;
  for (const folder of folders.filter(isOpen))
    folder.status = await statusOf(client, commands, folder.path).catch(ifGone);
  return folders;
}

const statusOf = (client: ImapFlow, commands: Commands, path: string): Promise<FolderStatus> =>
  commands.run(async () => toStatus(requireAnswer(await client.status(path, STATUS))));

/** A folder that was deleted after the listing has no status. */
function ifGone(error: unknown): null {
  if (error instanceof ImapFault && error.kind === 'failed') return null;
  throw error;
}

type Since = { modseq: bigint; uidValidity: number };

async function open(client: ImapFlow, commands: Commands, path: string, since?: Since) {
  const vanished: number[] = [];
  const note = ({ uid, path: where }: { uid?: number | undefined; path: string }) => {
    if (uid !== undefined && where === path && vanished.length <= MOST_VANISHED) vanished.push(uid);
  };
  const options: OpenOptions = since ? { changedSince: since.modseq, uidValidity: BigInt(since.uidValidity) } : {};
  // They are reported while the folder opens, and never again.
  client.on('expunge', note);
  try {
    const opened = await client.mailboxOpen(path, options);
    commands.forgetChanges();
    return toOpened(opened, vanished);
  } finally {
    client.off('expunge', note);
  }
}

function toOpened(opened: Opened, vanished: readonly number[]): OpenedFolder {
  const { path, exists, uidNext, uidValidity, highestModseq, noModseq, qresync } = opened;
  if (!isUid(uidNext) || !isUid(Number(uidValidity)) || !(exists <= MOST_MESSAGES))
    throw new ImapFault('failed', 'the provider does not say how many messages a folder has and how they are named');
  return {
    path,
    exists,
    uidNext,
    uidValidity: Number(uidValidity),
    highestModseq: noModseq ? null : (highestModseq ?? null),
    vanished: qresync && vanished.length <= MOST_VANISHED ? vanished : null,
  };
}

const toListedFolder = ({ status, ...listed }: ListResponse): ListedFolder => ({
  ...listed,
  status: status ? toStatus(status) : null,
});

function toStatus({ messages = 0, uidNext = 0, uidValidity = 0n, highestModseq }: StatusObject): FolderStatus {
  return { messages, uidNext, uidValidity: Number(uidValidity), highestModseq: highestModseq ?? null };
}
