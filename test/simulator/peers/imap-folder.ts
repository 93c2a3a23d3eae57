import type { AssignedUid, FolderStatus } from '../../../services/mailbox-sync/src/imap/imap-connection.ts';

export const FOLDERS = ['INBOX', 'Archive', 'Trash', 'Sent'] as const;
export type FolderPath = (typeof FOLDERS)[number];

export interface Message {
  /** It is one message wherever it is moved. */
  name: string;
  raw: Buffer;
  internalDate: Date;
  isRead: boolean;
  isStarred: boolean;
}

export interface StoredMessage extends Message {
  uid: number;
  modseq: bigint;
}

/** One folder at a provider: UIDs rise, and every change raises its count. */
export interface ImapFolder {
  path: FolderPath;
  readonly uidValidity: number;
  messages(): StoredMessage[];
  /** By a range as `3:*` or `3,5:7`, of which the star is the last message. */
  within(range: string): StoredMessage[];
  status(isCounted: boolean): FolderStatus;
  vanishedSince(modseq: bigint): number[];
  put(message: Message): AssignedUid;
  mark(uids: readonly number[], flags: Partial<Pick<Message, 'isRead' | 'isStarred'>>): void;
  expunge(uids: readonly number[]): void;
  /** Returns the new location of each message. */
  moveTo(folder: ImapFolder, uids: readonly number[]): Map<number, AssignedUid>;
  /** Its messages get other UIDs. */
  renumber(): void;
}

const BETWEEN_VALIDITIES = 10;

export function createImapFolder(path: FolderPath, firstValidity: number, onChange: () => void): ImapFolder {
  const stored = new Map<number, StoredMessage>();
  let vanished: { uid: number; modseq: bigint }[] = [];
  let [uidValidity, uidNext, count] = [firstValidity, 1, 1n];
  const found = (uids: readonly number[]) => uids.flatMap((uid) => stored.get(uid) ?? []);
  const folder: ImapFolder = {
    path,
    get uidValidity() {
      return uidValidity;
    },
    messages: () => [...stored.values()],
    within: (range) => {
      const last = Math.max(0, ...stored.keys());
      return folder.messages().filter(({ uid }) => range.split(',').some((part) => isIn(uid, part, last)));
    },
    status: (isCounted) => ({
      messages: stored.size,
      uidNext,
      uidValidity,
      highestModseq: isCounted ? count : null,
    }),
    vanishedSince: (modseq) => vanished.filter((one) => one.modseq > modseq).map(({ uid }) => uid),
    put: ({ name, raw, internalDate, isRead, isStarred }) => {
      const uid = uidNext;
      uidNext += 1;
      count += 1n;
      stored.set(uid, { name, raw, internalDate, isRead, isStarred, uid, modseq: count });
      onChange();
      return { uidValidity, uid };
    },
    mark: (uids, flags) => {
      count += 1n;
      for (const message of found(uids)) Object.assign(message, flags, { modseq: count });
      onChange();
    },
    expunge: (uids) => {
      count += 1n;
      for (const { uid } of found(uids)) {
        stored.delete(uid);
        vanished.push({ uid, modseq: count });
      }
      onChange();
    },
    moveTo: (target, uids) => {
      const assigned = new Map(found(uids).map((message) => [message.uid, target.put(message)]));
      folder.expunge([...assigned.keys()]);
      return assigned;
    },
    renumber: () => {
      const messages = folder.messages();
      stored.clear();
      vanished = [];
      [uidValidity, uidNext] = [uidValidity + BETWEEN_VALIDITIES, 1];
      for (const message of messages.toReversed()) folder.put(message);
      onChange();
    },
  };
  return folder;
}

/** A range of which the ends are in the wrong order holds the same. */
function isIn(uid: number, part: string, last: number): boolean {
  const ends = part.split(':').map((end) => (end === '*' ? last : Number(end)));
  const [one = 0, other = one] = ends;
  return uid >= Math.min(one, other) && uid <= Math.max(one, other);
}
