/** The lease of the process that syncs a mailbox. It is never deleted, so that its epoch only rises. */
export interface MailboxLeaseDocument {
  /** The mailbox's own. */
  _id: string;
  workspaceId: string;
  /** The process that holds it; '' when nobody does. */
  owner: string;
  /** The fencing token. Each new holder raises it, and a write with an older one changes nothing. */
  epoch: number;
  /** Free from here on. Far in the future for a mailbox that is not to be connected. */
  until: Date;
  /** Set when a sync pass is wanted now. The holder clears it. */
  wantedAt: Date | null;
  /** Counts the sync passes over all folders, across holders. */
  round: number;
  /** The on-demand connections of other processes that read single messages. */
  guests: OnDemandConnectionPart[];
}

export interface OnDemandConnectionPart {
  guest: string;
  /** Its slot is free after this moment in any case. */
  until: Date;
}

/** The sync state of one folder of a mailbox. Its id is the folder's id. */
export interface FolderSyncDocument {
  _id: string;
  workspaceId: string;
  mailboxId: string;
  /** Of the lease under which it was written last. */
  epoch: number;
  /** The UIDVALIDITY of the folder. When it changes, all UIDs become invalid. */
  uidValidity: number;
  /** Everything from here on is yet to arrive. */
  uidNext: number;
  /** All changes up to here are known; '0' where the provider does not count them. */
  highestModseq: string;
  /** Of the mail that was there at first, which is taken in newest first: everything from here on is. */
  lowestDone: number;
  /** The ingested messages of the folder, and its size when the first pass began. */
  done: number;
  total: number;
  /** The last complete comparison of the folder with the stored emails. */
  comparedAt: Date | null;
  /** The number of comparisons that found a change that the provider's change counter did not show. */
  surprises: number;
}
