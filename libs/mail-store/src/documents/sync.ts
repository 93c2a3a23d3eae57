/** Who keeps a mailbox in step with its provider. It is never deleted, so that its epoch only rises. */
export interface MailboxLeaseDocument {
  /** The mailbox's own. */
  _id: string;
  workspaceId: string;
  /** The process that holds it; '' when nobody does. */
  owner: string;
  /** Raised by whoever takes it; a writer with an older one changes nothing any more. */
  epoch: number;
  /** Free from here on. Far in the future for a mailbox that is not to be connected. */
  until: Date;
  /** Somebody asked for a look now; the holder takes it away. */
  wantedAt: Date | null;
  /** Counts the looks at all of its folders, across holders. */
  round: number;
  /** Who else is connected for a while, to read single messages. */
  guests: GuestPart[];
}

export interface GuestPart {
  guest: string;
  /** Its place is free from here on, whatever became of it. */
  until: Date;
}

/** How far one folder of a mailbox is in step; its id is the folder's. */
export interface FolderSyncDocument {
  _id: string;
  workspaceId: string;
  mailboxId: string;
  /** Of the lease under which it was written last. */
  epoch: number;
  /** What UIDs are counted from: with another one all of them mean nothing. */
  uidValidity: number;
  /** Everything from here on is yet to arrive. */
  uidNext: number;
  /** All changes up to here are known; '0' where the provider does not count them. */
  highestModseq: string;
  /** Of the mail that was there at first, which is taken in newest first: everything from here on is. */
  lowestDone: number;
  /** Messages of the folder that were taken in, and how many it held when the first look began. */
  done: number;
  total: number;
  /** When all of the folder was last compared with what is stored. */
  comparedAt: Date | null;
  /** How often that comparison found what the provider's own count of changes had kept quiet. */
  surprises: number;
}
