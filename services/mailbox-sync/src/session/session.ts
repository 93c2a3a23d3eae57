import type { MailboxWriteServiceDefinition } from '@postroom/proto/postroom/v1/mailbox_write';
import type { MailboxAccessServiceDefinition } from '@postroom/proto/postroom/v1/workspace';
import type { Client } from '@postroom/rpc/definition';
import type { Counter } from '@postroom/runtime/metrics';
import type { ServiceContext } from '@postroom/runtime/service';
import type { OwedStore } from '../owed-store.ts';
import type { DirectoryStore } from '../directory-store.ts';
import type { FolderSync, FolderSyncStore } from '../folders/folder-sync-store.ts';
import type { Folder } from '../folders/folder.ts';
import type { ImapConnection } from '../imap/imap-connection.ts';
import type { ImapAccess } from '../imap/imap-server.ts';
import type { LeaseStore } from '../leases/lease-store.ts';
import type { Lease } from '../leases/lease.ts';
import type { Turns } from '../leases/turns.ts';
import type { BytesInFlight } from '@postroom/runtime/bytes-in-flight';
import type { MailWriter } from './mail-writer.ts';

/** What the sessions of a process share. */
export interface SessionDeps {
  folderSyncs: FolderSyncStore;
  leases: Pick<LeaseStore, 'beginRound'>;
  owed: Pick<OwedStore, 'find' | 'copyOf'>;
  access: Client<MailboxAccessServiceDefinition>;
  mailboxWrite: Client<MailboxWriteServiceDefinition>;
  directory: Pick<DirectoryStore, 'find'>;
  connect(access: ImapAccess): Promise<ImapConnection>;
  /** So many logins a second to one host. */
  turns: Turns;
  bytes: BytesInFlight;
  context: Pick<ServiceContext, 'clock' | 'log' | 'tracing'>;
  lookMs: LookTimes;
  /** Messages taken in, and connections that failed by kind of fault. */
  taken: Counter;
  failures: Counter;
}

export interface LookTimes {
  /** The inbox beneath IDLE, and without it. */
  inbox: number;
  poll: number;
  sent: number;
  folder: number;
}

/** One folder of a mailbox that is connected. */
export interface FolderState {
  folder: Folder;
  /** Null before the first look. */
  sync: FolderSync | null;
  /** Mail from before that is yet to be taken in, by rising UIDs. Null where that is not known. */
  backlog: number[] | null;
  /** It is to be looked at as soon as possible. */
  isDue: boolean;
  /** Since which round something is missing; in a later one all of it is compared with what is stored, before any in a new session. */
  doubtedIn: number | null;
  lookedAt: number;
  /** What was taken in and yet is not there, as mail that was set aside: it is not asked for again. */
  unstored: Set<number>;
  /** Its count of changes after a mark of ours: `asked` until that is looked at, with what it was before; once is enough. */
  counting: { asked: string | null; isProven: boolean };
  /** The flags that were seen last, where the provider does not count changes. */
  seen: Map<number, string>;
}

export interface LostFolder {
  folderId: string;
  uidValidity: number;
  /** In how many rounds it was not listed. */
  rounds: number;
}

/** One mailbox, connected: everything that is done with it is done one after the other. */
export interface Session {
  lease: Lease;
  connection: ImapConnection;
  /** Aborted when nobody keeps the mailbox in step any more. */
  stopped: AbortSignal;
  writer: MailWriter;
  /** What had come before is history, and nobody is told of it. */
  connectedAt: Date;
  /** The one that new mail comes to first. */
  folders: FolderState[];
  /** Where a provider keeps each message once, the folders that only show it by labels. */
  labelFolders: Folder[];
  /** The path of the folder that is open. */
  open: string | null;
  round: number;
  /** Up to this round emails are looked for that have left their folders. */
  searchUntil: number;
  /** Folders that are gone at the provider, until their emails are, too. */
  lost: LostFolder[];
  /** How often a change was tried that the provider would not have, and before when it is not tried again. */
  attempts: Map<string, { count: number; notBefore: number }>;
  nextRoundAt: number;
  nextFullRoundAt: number;
  nextCarryAt: number;
  notedAt: number;
  deps: SessionDeps;
}

export function newFolderState(folder: Folder, sync: FolderSync | null): FolderState {
  return {
    folder,
    sync,
    backlog: null,
    isDue: true,
    doubtedIn: -1,
    lookedAt: 0,
    unstored: new Set(),
    counting: { asked: null, isProven: false },
    seen: new Map(),
  };
}

export async function saveSync(session: Session, state: FolderState, change: Partial<FolderSync>): Promise<void> {
  if (!state.sync) throw new Error('a folder is saved that was not looked at');
  state.sync = { ...state.sync, ...change };
  const { lease, deps } = session;
  await deps.folderSyncs.save(lease.workspaceId, lease, state.folder.id, state.sync);
}

/** Emails have left a folder: all folders are scanned at once and in the next two passes, because they may be in another. */
export function searchForMoved(session: Session): void {
  session.searchUntil = session.round + 2;
  session.nextRoundAt = 0;
}

/** How many messages of it are yet to be taken in; unknown where the list of them is. */
export function remaining({ sync, backlog }: FolderState): number | undefined {
  return sync && sync.lowestDone <= 1 ? 0 : backlog?.length;
}

/** Its UIDs have begun anew, and all of its mail was taken in since: what has got no new UID is yet to be missed. */
export function isUncompared({ sync }: FolderState): boolean {
  return sync !== null && sync.comparedAt === null && sync.lowestDone <= 1;
}

/** Something was missing in an earlier round, or nobody has looked in this session. */
export function isDoubtful({ round }: Session, { doubtedIn }: FolderState): boolean {
  return doubtedIn !== null && doubtedIn < round;
}
