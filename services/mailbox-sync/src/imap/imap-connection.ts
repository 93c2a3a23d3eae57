import type { Attachment } from '@postroom/mime/parts';
import type { ListResponse } from 'imapflow';

export type ListedFolder = Pick<
  ListResponse,
  'path' | 'name' | 'delimiter' | 'parent' | 'flags' | 'specialUse' | 'specialUseSource'
> & {
  status: FolderStatus | null;
};

/** The status of a folder that a provider gives without opening it. */
export interface FolderStatus {
  messages: number;
  uidNext: number;
  uidValidity: number;
  /** Null where changes are not counted. */
  highestModseq: bigint | null;
}

export interface OpenedFolder {
  path: string;
  exists: number;
  uidNext: number;
  uidValidity: number;
  highestModseq: bigint | null;
  /** The messages that vanished since the last scan, if the provider remembers them. */
  vanished: readonly number[] | null;
}

export interface FlagState {
  uid: number;
  isRead: boolean;
  isStarred: boolean;
  /** A client has marked it for removal. */
  isDeleted: boolean;
  /** The provider's own labels, where it has any. */
  labels: readonly string[];
}

export interface MessageFacts extends FlagState {
  size: number;
  internalDate: Date | null;
  /** The provider's own name for the message, where it has any; its conversations are ours to find. */
  emailId: string | null;
}

export interface AssignedUid {
  uidValidity: number;
  uid: number;
}

interface SourcesMost {
  /** So many bytes of each message. */
  each: number;
  /** So many bytes of all of them, by the provider's own word. */
  all: number;
  /** Whether another workspace waits for their memory. A slow provider is then disconnected. */
  isWanted?: () => boolean;
}

export type Flag = '\\Seen' | '\\Flagged';

/** One mailbox at its provider: one command at a time, each within its time, and each either done or a fault. */
export interface ImapConnection {
  has(capability: string): boolean;
  list(): Promise<ListedFolder[]>;
  open(path: string, since?: { modseq: bigint; uidValidity: number }): Promise<OpenedFolder>;
  status(path: string): Promise<FolderStatus>;

  /* In the open folder, by UID. */
  uids(range: string): Promise<number[]>;
  flags(range: string, changedSince?: bigint): AsyncIterable<FlagState>;
  facts(uids: readonly number[]): AsyncIterable<MessageFacts>;
  /** The attachments of a message by the word of the provider. Null where it describes none of its parts. */
  attachments(uid: number): Promise<Attachment[] | null>;
  sources(uids: readonly number[], most: SourcesMost): AsyncIterable<{ uid: number; raw: Buffer }>;
  findByHeader(name: string, value: string): Promise<number[]>;
  setFlag(uids: readonly number[], flag: Flag, isSet: boolean): Promise<void>;
  /** The new location of each, if the provider tells it. */
  move(uids: readonly number[], path: string): Promise<Map<number, AssignedUid>>;
  /** These and no others, for ever. */
  remove(uids: readonly number[]): Promise<void>;
  append(path: string, raw: Buffer, flags: readonly string[], date: Date): Promise<AssignedUid | null>;

  /** Waits for a change in the open folder. False when `over` was aborted first. */
  idle(over: AbortSignal): Promise<boolean>;
  close(): void;
}
