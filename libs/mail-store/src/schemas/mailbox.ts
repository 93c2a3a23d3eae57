import type { AliasPart, EnvelopePart, FolderPart, MailServerPart, MailboxDocument } from '../documents/mailbox.ts';
import { nullable, part, required, schema } from './schema.ts';

export const mailbox = schema<MailboxDocument>({
  workspaceId: required(String),
  email: required(String),
  emailKey: required(String),
  recipientKeys: [String],
  name: nullable(String),
  provider: required(String),
  status: required(String),
  aliases: [part<AliasPart>({ email: required(String), name: nullable(String), verified: Boolean })],
  folders: [part<FolderPart>({ id: required(String), name: required(String), type: required(String) })],
  server: nullable(part<MailServerPart>({ imapAddress: String, smtpAddress: String, user: String, password: String })),
  credentials: nullable(part<EnvelopePart>({ keyId: String, wrappedKey: String, sealed: String })),
  lastSyncedAt: nullable(Date),
  createdAt: required(Date),
});
