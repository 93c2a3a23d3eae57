import type { Reads } from '@postroom/mail-store/access';
import type { BodyDocument } from '@postroom/mail-store/documents/email';
import { boundedItem, fittedItem } from '@postroom/mail-store/email-bounds';
import { SHOWN_OF_EMAIL, type ShownEmail } from '@postroom/mail-store/email-message';
import { NEWEST_FIRST } from '@postroom/mail-store/indexes';
import { timeLimit, type TimeBudget } from '@postroom/mail-store/time-limit';
import { draftsMadeLast, repliesThatLeaveNext } from './draft-order-store.ts';

export type StoredContent = Pick<BodyDocument, '_id' | 'html' | 'text' | 'version'>;
export type SingleEmailStore = ReturnType<typeof createSingleEmailStore>;

/** A draft in the trash is an email like others; what still waits to be sent lies among the drafts. */
const DRAFT = { isDraft: true, folderType: 'DRAFTS' } as const;
const AT_ONCE = 20;
/** A page of emails with a thousand recipients each would be too large. */
const MOST_ENTRIES = 20_000;
const CONTENT = { _id: 1, html: 1, text: 1, version: 1 } as const;

/** Emails one by one, with their bodies. */
export function createSingleEmailStore({ emails, bodies }: Reads<'emails' | 'bodies'>) {
  return {
    find(workspaceId: string, emailId: string, budget: TimeBudget): Promise<ShownEmail | null> {
      return emails.findOne({ workspaceId, _id: emailId }, SHOWN_OF_EMAIL, timeLimit(budget)).lean<ShownEmail | null>();
    },

    /** The newest of a thread, newest first, each within the bounds of a list item; a few are in memory whole at once. */
    thread(workspaceId: string, mailboxId: string, threadId: string, count: number, budget: TimeBudget) {
      return newestItems(emails, { workspaceId, mailboxId, threadId }, count, budget);
    },

    /** The drafts that were made last, the last first, within the same bounds. */
    async drafts(workspaceId: string, count: number, budget: TimeBudget): Promise<ShownEmail[]> {
      const ids = await draftsMadeLast(emails, workspaceId, count, budget);
      return itemsOf(emails, ids, { workspaceId, ...DRAFT }, budget);
    },

    /** The replies of rules that wait for their time, the next one first, within the same bounds. */
    async waitingReplies(workspaceId: string, count: number, budget: TimeBudget): Promise<ShownEmail[]> {
      const ids = await repliesThatLeaveNext(emails, workspaceId, count, budget);
      return itemsOf(emails, ids, { workspaceId, ...DRAFT }, budget);
    },

    findDraft(workspaceId: string, draftId: string, budget: TimeBudget): Promise<ShownEmail | null> {
      return emails
        .findOne({ workspaceId, _id: draftId, ...DRAFT }, SHOWN_OF_EMAIL, timeLimit(budget))
        .lean<ShownEmail | null>();
    },

    /** Whether its provider keeps it. */
    async isElsewhere(workspaceId: string, emailId: string, budget: TimeBudget): Promise<boolean> {
      const located = { workspaceId, _id: emailId, 'place.uid': { $gt: 0 } };
      return (await emails.findOne(located, { _id: 1 }, timeLimit(budget)).lean()) !== null;
    },

    bodies(workspaceId: string, emailIds: string[], budget: TimeBudget): Promise<StoredContent[]> {
      return bodies.find({ workspaceId, _id: { $in: emailIds } }, CONTENT, timeLimit(budget)).lean<StoredContent[]>();
    },
  };
}

/** The newest emails of a query, as many as have not too many entries. */
async function newestItems(
  emails: Reads<'emails'>['emails'],
  query: { workspaceId: string } & Partial<ShownEmail>,
  count: number,
  budget: TimeBudget,
) {
  const found = emails
    .find(query, SHOWN_OF_EMAIL, timeLimit(budget))
    .sort(NEWEST_FIRST)
    .limit(count)
    .lean<ShownEmail[]>()
    .cursor({ batchSize: AT_ONCE });
  const items: ShownEmail[] = [];
  let entries = 0;
  for await (const email of found as AsyncIterable<ShownEmail>) {
    items.push(fittedItem(boundedItem(email)));
    entries += entriesOf(email);
    if (entries > MOST_ENTRIES) break;
  }
  return items;
}

/** Some of these, in their order, as far as their entries are not too many. */
async function itemsOf(
  emails: Reads<'emails'>['emails'],
  ids: string[],
  query: { workspaceId: string },
  budget: TimeBudget,
) {
  const items: ShownEmail[] = [];
  let entries = 0;
  for (let at = 0; at < ids.length && entries <= MOST_ENTRIES; at += AT_ONCE) {
    const some = ids.slice(at, at + AT_ONCE);
    const found = await emails
      .find({ ...query, _id: { $in: some } }, SHOWN_OF_EMAIL, timeLimit(budget))
      .lean<ShownEmail[]>();
    const byId = new Map(found.map((email) => [email._id, email]));
    for (const email of some.flatMap((id) => byId.get(id) ?? [])) {
      items.push(fittedItem(boundedItem(email)));
      entries += entriesOf(email);
      if (entries > MOST_ENTRIES) break;
    }
  }
  return items;
}

function entriesOf({ to, cc, bcc, references, attachments }: ShownEmail): number {
  return to.length + cc.length + bcc.length + references.length + attachments.length;
}
