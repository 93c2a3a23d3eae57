import type { EmailDocument } from '@postroom/mail-store/documents/email';
import { NEWEST_FIRST } from '@postroom/mail-store/indexes';
import { createPageStore } from '../../../services/mailbox-read/src/pages/page-store.ts';
import { pageJson, toItemsJson } from '../../../services/mailbox-read/src/pages/page-json.ts';
import type { Bench } from '../bench.ts';
import { openBenchDatabase } from '../bench-database.ts';
import { compare, type Contender } from '../compare.ts';
import { benchMailbox } from '../mail.ts';

const LIMIT = 51;
const SMALL = 2_000;

/** One page from the database to bytes of JSON: raw documents with rendered items, against mongoose's two ways. */
export const read: Bench = {
  name: 'read',
  title: 'a page of fifty from the database to JSON, processor time of the reading process alone',
  run: async (config, print) => {
    const database = await openBenchDatabase(config, SMALL, print);
    const { emails } = database.collections;
    const pages = createPageStore(database.collections);
    const query = { workspaceId: benchMailbox.workspaceId };
    const call = { remainingMs: () => 10_000, signal: new AbortController().signal };

    const raw = async () =>
      pageJson(toItemsJson(await pages.newest(query.workspaceId, {}, { after: null }, LIMIT, call), []), null);
    const lean = async () => toJson(await emails.find(query).sort(NEWEST_FIRST).limit(LIMIT).lean<EmailDocument[]>());
    const hydrated = async () => {
      const documents = await emails.find(query).sort(NEWEST_FIRST).limit(LIMIT);
      return toJson(documents.map((document) => document.toObject() as EmailDocument));
    };
    try {
      return await compare(
        'read',
        {
          ours: own('raw, rendered items', raw),
          oursAgain: own('raw, rendered items, again', raw),
          others: [own('mongoose lean', lean), own('mongoose hydrated', hydrated)],
          targets: [{ against: 'mongoose lean', atMost: 0.25 }],
          count: 200,
          warmUp: 600,
          effort: config.effort,
        },
        print,
      );
    } finally {
      await database.close();
    }
  },
};

function own(name: string, once: () => Promise<Buffer>): Contender {
  return {
    name,
    run: async (count) => {
      const before = process.cpuUsage();
      for (let done = 0; done < count; done++) await once();
      const { user, system } = process.cpuUsage(before);
      return user + system;
    },
  };
}

/** Builds list items from whole documents. A server without list projections needs this for every page. */
function toJson(documents: EmailDocument[]): Buffer {
  const items = documents.map((email) => ({
    id: email._id,
    mailboxId: email.mailboxId,
    folderId: email.folderId,
    threadId: email.threadId,
    messageId: email.messageId,
    inReplyTo: email.inReplyTo,
    references: email.references,
    from: email.from,
    to: email.to,
    cc: email.cc,
    subject: email.subject,
    snippet: email.snippet,
    date: email.date.toISOString(),
    isRead: email.isRead,
    isStarred: email.isStarred,
    isDraft: email.isDraft,
    hasAttachments: email.hasAttachments,
    attachments: email.attachments,
    tags: [],
    waitingForReply: email.waitingForReply,
  }));
  return Buffer.from(JSON.stringify({ items, nextCursor: null, hasMore: false }));
}
