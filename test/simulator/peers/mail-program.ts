import { storedName } from '@postroom/mail-store/stored-names';
import { IncomingMessage, type MailboxWriteServiceDefinition } from '@postroom/proto/postroom/v1/mailbox_write';
import type { Client } from '@postroom/rpc/definition';
import type { Database } from '../world/database.ts';
import type { Process } from '../world/process.ts';
import type { Address } from './mail-source.ts';
import { untilDone } from './told.ts';

interface Stored {
  messageId: string;
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
export function openMailProgram(
  process: Process,
  mailboxWrite: Pick<Client<MailboxWriteServiceDefinition>, 'ingest'>,
  { workspaceId, mailboxId }: Address,
): MailProgram {
  const { world, context } = process;
  let uid = 0;
  const find = async <T>(collection: 'emails' | 'pendingCopies', filter: object): Promise<T | undefined> => {
    const { cursor } = await world.database.run({ find: storedName(collection), filter });
    return (cursor as { firstBatch: T[] }).firstBatch[0];
  };
  const bring = async (raw: Buffer): Promise<void> => {
    uid += 1;
    const location = { folderId: DRAFTS_ID, uidValidity: 1, uid };
    const message = IncomingMessage.create({ sourceKey: `imap:${DRAFTS_ID}:1:${uid}`, raw, location });
    const asked = { mailboxId, messages: [message], isRepeat: false };
    await untilDone(process, () => mailboxWrite.ingest(asked, { workspaceId }));
  };
  /** Those that have a UID, or have none yet. */
  const draftOf = (_id: string, hasUid: boolean) =>
    find<Stored>('emails', { _id, isDraft: true, folderType: 'DRAFTS', 'place.uid': { $exists: hasUid } });
  return {
    edit: async (draftId, { to, subject, text }) => {
      const copyId = (await draftOf(draftId, false))?.providerChanges.append?.id;
      const copy = copyId && (await find<{ raw: { buffer: Uint8Array } }>('pendingCopies', { _id: copyId }));
      if (copy) await bring(Buffer.from(copy.raw.buffer));
      await context.clock.sleep(world.chance.below(LONGEST_WRITING_MS));
      const draft = await draftOf(draftId, true);
      if (!draft) return false;
      const date = new Date(world.now() + (uid + 1) * BETWEEN_DATES_MS).toUTCString();
      const fields = { From: 'bob@example.com', To: to, Subject: subject, Date: date, 'Message-ID': draft.messageId };
      const head = Object.entries(fields).map(([name, value]) => `${name}: ${value}`);
      await bring(Buffer.from([...head, '', text, ''].join('\r\n')));
      return true;
    },
  };
}
