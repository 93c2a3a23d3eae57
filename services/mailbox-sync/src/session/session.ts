import type { MailboxWriteServiceDefinition } from '@postroom/proto/postroom/v1/mailbox_write';
import type { MailboxAccessServiceDefinition } from '@postroom/proto/postroom/v1/workspace';
import type { Client } from '@postroom/rpc/definition';
import type { Counter } from '@postroom/runtime/metrics';
import type { ServiceContext } from '@postroom/runtime/service';
import type { PendingChangeStore } from '../pending/pending-change-store.ts';
import type { SyncedMailboxStore } from '../mailboxes/synced-mailbox-store.ts';
import type { FolderSync, FolderSyncStore } from '../folders/folder-sync-store.ts';
import type { Folder } from '../folders/folder.ts';
import type { ImapConnection, OpenedFolder } from '../imap/imap-connection.ts';
import type { ImapAccess } from '../imap/imap-server.ts';
import type { LeaseStore } from '../leases/lease-store.ts';
import type { Lease } from '../leases/lease.ts';
import type { RecentIds } from '@postroom/runtime/recent-ids';
import type { RateLimit } from '@postroom/runtime/rate-limit';
import type { BytesInFlight } from '@postroom/runtime/bytes-in-flight';
import type { MailWriter } from './mail-writer.ts';

/** The parts that all sessions of a process share. */
export interface SessionDeps {
  folderSyncs: FolderSyncStore;
  leases: Pick<LeaseStore, 'firstPass' | 'beginPass'>;
  pending: Pick<PendingChangeStore, 'find' | 'copyOf'>;
  access: Client<MailboxAccessServiceDefinition>;
  mailboxWrite: Client<MailboxWriteServiceDefinition>;
  mailboxes: Pick<SyncedMailboxStore, 'find'>;
  connect(access: ImapAccess, signal: AbortSignal): Promise<ImapConnection>;
  /** So many logins a second to one host. */
  loginRate: RateLimit;
  bytes: BytesInFlight;
  /** Large messages whose structure is being read, or broke a connection of this process. */
  undescribed: Set<string>;
  /** Messages whose ingest call ended without an answer. */
  unanswered: RecentIds;
  context: Pick<ServiceContext, 'clock' | 'log' | 'tracing'>;
  scanMs: ScanIntervals;
  /** Messages taken in, and connections that failed by kind of fault. */
  taken: Counter;
  failures: Counter;
}

interface ScanIntervals {
  /** The inbox beneath IDLE, and without it. */
  inbox: number;
  poll: number;
  sent: number;
  folder: number;
}

/** One folder of a mailbox that is connected. */
export interface FolderState {
  folder: Folder;
  /** Null before the first scan. */
  sync: FolderSync | null;
  /** Mail from before that is yet to be taken in, by rising UIDs. Null where that is not known. */
  backlog: number[] | null;
  /** A scan is wanted as soon as possible. */
  isDue: boolean;
  /** The pass in which a message was first missing. A later pass compares the whole folder. */
  doubtedIn: number | null;
  scannedAt: number;
  /** The tries in a row to read it that the provider refused, and the time before which its old mail is not tried again. */
  refused: { tries: number; notBefore: number };
  /** Messages that were fetched and are not stored, such as quarantined ones. They are not fetched again. */
  unstored: Set<number>;
  /** The check whether its change counter moves with a flag of ours: `asked` until it is read, with the value before. */
  counting: { asked: string | null; isProven: boolean };
  /** The flags that were seen last, where the provider does not count changes. */
  seen: Map<number, string>;
}

interface LostFolder {
  folderId: string;
  uidValidity: number;
  /** The number of passes in which it was not listed. */
  passes: number;
}

/** One mailbox, connected: everything that is done with it is done one after the other. */
export interface Session {
  lease: Lease;
  connection: ImapConnection;
  /** Aborted when the sync of the mailbox stops. */
  stopped: AbortSignal;
  writer: MailWriter;
  /** Earlier mail is history and makes no event. */
  connectedAt: Date;
  /** The folder that receives new mail. */
  folders: FolderState[];
  /** The folders that only show messages by labels, for a provider that stores each message once. */
  labelFolders: Folder[];
  /** The folder that is open, and what its UIDs mean. */
  open: Pick<OpenedFolder, 'path' | 'uidValidity'> | null;
  pass: number;
  /** Until then, writes of an earlier holder of the mailbox may arrive. */
  lateUntil: number;
  /** Up to this pass, emails that left their folders are searched. */
  searchUntil: number;
  /** Folders that were deleted at the provider, until their emails are removed. */
  lost: LostFolder[];
  /** The failed attempts of a change, and the time before which it is not tried again. */
  attempts: Map<string, { count: number; notBefore: number }>;
  nextPassAt: number;
  nextFullPassAt: number;
  /** The last pass removed nothing, because some mail was not read yet. */
  isHeldBack: boolean;
  nextWriteAt: number;
  notedAt: number;
  deps: SessionDeps;
}

/** In this session. */
export const NEVER_COMPARED = -1;
const NEVER_REFUSED = { tries: 0, notBefore: 0 };

export function newFolderState(folder: Folder, sync: FolderSync | null): FolderState {
  return {
    folder,
    sync,
    backlog: null,
    isDue: true,
    doubtedIn: NEVER_COMPARED,
    scannedAt: 0,
    refused: NEVER_REFUSED,
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
  session.searchUntil = session.pass + 2;
  session.nextPassAt = 0;
}

/** The number of its messages that are not ingested yet; unknown while their list is. */
export function remaining({ sync, backlog }: FolderState): number | undefined {
  return sync && sync.lowestDone <= 1 ? 0 : backlog?.length;
}

export const hasBacklog = ({ sync }: FolderState): boolean => sync !== null && sync.lowestDone > 1;

/** So many refusals in a row are no passing trouble. */
const TRIES = 5;
const FIRST_REST_MS = 5_000;

const isGivenUp = ({ refused }: FolderState): boolean => refused.tries >= TRIES;

/** All mail is taken in. In a folder that is not read, or has old mail, may be an email that is missed elsewhere. */
export const isAllRead = ({ folders }: Session): boolean =>
  folders.every((state) => isGivenUp(state) || (!hasBacklog(state) && state.refused.tries === 0));

export function noteRefused({ deps }: Session, state: FolderState): void {
  const tries = state.refused.tries + 1;
  const restMs = Math.min(deps.scanMs.folder, FIRST_REST_MS * 2 ** (tries - 1));
  state.refused = { tries, notBefore: deps.context.clock.now() + restMs };
}

export function noteRead(state: FolderState): void {
  state.refused = NEVER_REFUSED;
}

/** Its UIDs have begun anew, and all of its mail was taken in since: what has got no new UID is yet to be missed. */
export function isUncompared({ sync }: FolderState): boolean {
  return sync !== null && sync.comparedAt === null && sync.lowestDone <= 1;
}

/** A message was missing in an earlier pass, or this session has not compared it yet. */
export function isDoubtful({ pass }: Session, { doubtedIn }: FolderState): boolean {
  return doubtedIn !== null && doubtedIn < pass;
}

/** An earlier holder may have stored a message that was gone when this session looked. */
export function isOvertaken({ lateUntil, deps }: Session, { sync }: FolderState): boolean {
  if (!sync?.comparedAt || sync.lowestDone > 1) return false;
  return sync.comparedAt.getTime() < lateUntil && lateUntil <= deps.context.clock.now();
}
