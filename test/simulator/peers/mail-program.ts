import { storedName } from '@postroom/mail-store/stored-names';
import { ApiError } from '@postroom/errors/api-error';
import { MailboxSyncServiceDefinition } from '@postroom/proto/postroom/v1/mailbox_sync';
import {
  ImapLocation,
  IncomingMessage,
  MailboxWriteServiceDefinition,
} from '@postroom/proto/postroom/v1/mailbox_write';
import { locationKey } from '../../../services/mailbox-write/src/location/location.ts';
import type { Database } from '../world/database.ts';
import { createProcess, type Process } from '../world/process.ts';
import type { Network } from '../world/rpc.ts';
import type { World } from '../world/world.ts';
import type { Address } from './mail-source.ts';
import { untilDone } from './told.ts';

interface Stored {
  messageId: string;
  messageKey: string;
  providerChanges: { append?: { id: string } };
}

interface Parts {
  to: string;
  subject: string;
  text: string;
}

export interface MailProgram {
  /** False where there is no draft that it could edit. */
  edit(draftId: string, parts: Parts): Promise<boolean>;
}

const DRAFTS_ID = 'fld_DRAFTS';
const LONGEST_WRITING_MS = 2_500;
/** Each version has a date of its own. */
const BETWEEN_DATES_MS = 60_000;

/** The versions that a provider has. A mail program removes the one before. */
type Versions = Map<string, { location: ImapLocation; raw: Buffer; messageId: string }>;

/** Its folders have paths, and it wants copies of what is written here. */
export async function moveToProvider({ run }: Database, { mailboxId }: Address): Promise<void> {
  const folders = ['INBOX', 'SENT', 'DRAFTS', 'SPAM', 'TRASH'].map((type) => ({
    id: `fld_${type}`,
    path: type,
    name: type,
    type,
    delimiter: '/',
  }));
  const u = { $set: { provider: 'imap', folders } };
  await run({ update: storedName('mailboxes'), updates: [{ q: { _id: mailboxId }, u }] });
}

/**
 * Stands for a mail program that saves drafts at their provider, and for mailbox-sync, which brings each version under a UID
 * of its own. The first one is the copy of the draft that was made here.
 */
export function openMailProgram(process: Process, network: Network, { workspaceId, mailboxId }: Address): MailProgram {
  const { world, context } = process;
  const mailboxWrite = network.connect(MailboxWriteServiceDefinition, process);
  const versions: Versions = new Map();
  let uid = 0;
  const find = async <T>(collection: 'emails' | 'pendingCopies', filter: object): Promise<T | undefined> => {
    const { cursor } = await world.database.run({ find: storedName(collection), filter });
    return (cursor as { firstBatch: T[] }).firstBatch[0];
  };
  const bring = async (raw: Buffer, messageId: string): Promise<void> => {
    if (uid === 0) serveVersions(world, network, versions);
    uid += 1;
    for (const [known, one] of versions) if (one.messageId === messageId) versions.delete(known);
    const location = ImapLocation.create({ folderId: DRAFTS_ID, uidValidity: 1, uid });
    versions.set(locationKey(location), { location, raw, messageId });
    const message = IncomingMessage.create({ sourceKey: `imap:${DRAFTS_ID}:1:${uid}`, raw, location });
    const asked = { mailboxId, messages: [message], isRepeat: false };
    await untilDone(process, () => mailboxWrite.ingest(asked, { workspaceId }));
  };
  /** Those that have a UID, or have none yet. */
  const draftOf = (_id: string, hasUid: boolean) =>
    find<Stored>('emails', { _id, isDraft: true, folderType: 'DRAFTS', 'place.uid': { $exists: hasUid } });
  return {
    edit: async (draftId, { to, subject, text }) => {
      const own = await draftOf(draftId, false);
      const copyId = own?.providerChanges.append?.id;
      const copy = copyId && (await find<{ raw: { buffer: Uint8Array } }>('pendingCopies', { _id: copyId }));
      if (own && copy) await bring(Buffer.from(copy.raw.buffer), own.messageId);
      await context.clock.sleep(world.chance.below(LONGEST_WRITING_MS));
      const draft = await draftOf(draftId, true);
      if (!draft) return false;
      const date = new Date(world.now() + (uid + 1) * BETWEEN_DATES_MS).toUTCString();
      const fields = { From: 'bob@example.com', To: to, Subject: subject, Date: date, 'Message-ID': draft.messageId };
      const head = Object.entries(fields).map(([name, value]) => `${name}: ${value}`);
      await bring(Buffer.from([...head, '', text, ''].join('\r\n')), draft.messageId);
      return true;
    },
  };
}

/** Stands for mailbox-sync, which fetches bodies from the provider. */
function serveVersions(world: World, network: Network, versions: Versions): void {
  const process = createProcess(world, 'mailbox-sync');
  const mailboxWrite = network.connect(MailboxWriteServiceDefinition, process);
  network.serve<MailboxSyncServiceDefinition>(MailboxSyncServiceDefinition, process, {
    fetchBody: async ({ emailId }, { workspaceId }) => {
      const filter = { workspaceId, _id: emailId };
      const { cursor } = await world.database.run({ find: storedName('emails'), filter });
      const [email] = (cursor as { firstBatch: Stored[] }).firstBatch;
      const version = versions.get(email?.messageKey ?? '');
      if (!version) throw new ApiError('NOT_FOUND');
      const { raw, location } = version;
      return mailboxWrite.restoreBody({ emailId, raw, location }, { workspaceId });
    },
  });
}
