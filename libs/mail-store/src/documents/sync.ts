import { type TypeOf, nullable, part, presentText, required, schema } from '../schemas/schema.ts';

/** The lease of the process that syncs a mailbox. It is never deleted, so that its epoch only rises. */
export interface MailboxLeaseDocument extends TypeOf<typeof mailboxLeaseSchema> {}
export const mailboxLeaseSchema = schema({
  /** The mailbox's own. */
  _id: String,
  workspaceId: required(String),
  /** The process that holds it; '' when nobody does. */
  owner: presentText,
  /** The fencing token. Each new holder raises it, and a write with an older one changes nothing. */
  epoch: required(Number),
  /** Free from here on. Far in the future for a mailbox that is not to be connected. */
  until: required(Date),
  /** Set when a sync pass is wanted now. The holder clears it. */
  wantedAt: nullable(Date),
  /** Counts the sync passes over all folders, across holders. */
  round: required(Number),
  /** The on-demand connections of other processes that read single messages. */
  guests: [
    part({
      guest: required(String),
      /** Its slot is free after this moment in any case. */
      until: required(Date),
    }),
  ],
});

/** The sync state of one folder of a mailbox. Its id is the folder's id. */
export interface FolderSyncDocument extends TypeOf<typeof folderSyncSchema> {}
export const folderSyncSchema = schema({
  workspaceId: required(String),
  mailboxId: required(String),
  /** Of the lease under which it was written last. */
  epoch: required(Number),
  /** The UIDVALIDITY of the folder. When it changes, all UIDs become invalid. */
  uidValidity: required(Number),
  /** Everything from here on is yet to arrive. */
  uidNext: required(Number),
  /** All changes up to here are known; '0' where the provider does not count them. */
  highestModseq: required(String),
  /** Of the mail that was there at first, which is taken in newest first: everything from here on is. */
  lowestDone: required(Number),
  /** The ingested messages of the folder, and its size when the first pass began. */
  done: required(Number),
  total: required(Number),
  /** The last complete comparison of the folder with the stored emails. */
  comparedAt: nullable(Date),
  /** The number of comparisons that found a change that the provider's change counter did not show. */
  surprises: required(Number),
});
