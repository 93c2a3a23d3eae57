import type { FolderSyncDocument, OnDemandConnectionPart, MailboxLeaseDocument } from '../documents/sync.ts';
import { nullable, part, required, schema, presentText } from './schema.ts';

const onDemandConnection = part<OnDemandConnectionPart>({ guest: required(String), until: required(Date) });

export const mailboxLeaseSchema = schema<MailboxLeaseDocument>({
  workspaceId: required(String),
  owner: presentText,
  epoch: required(Number),
  until: required(Date),
  wantedAt: nullable(Date),
  round: required(Number),
  guests: [onDemandConnection],
});

export const folderSyncSchema = schema<FolderSyncDocument>({
  workspaceId: required(String),
  mailboxId: required(String),
  epoch: required(Number),
  uidValidity: required(Number),
  uidNext: required(Number),
  highestModseq: required(String),
  lowestDone: required(Number),
  done: required(Number),
  total: required(Number),
  comparedAt: nullable(Date),
  surprises: required(Number),
});
