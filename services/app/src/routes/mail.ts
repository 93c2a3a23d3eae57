import { FOLDER_TYPES } from '@postroom/contract/lists';
import type { EmailListItem } from '@postroom/contract/email-list-item';
import type { Mailbox, Page } from '@postroom/proto/postroom/v1/resources';
import { listEmailsQuery } from '@postroom/resources/email-query';
import { toJsonEmail } from '@postroom/resources/email';
import { z } from 'zod';
import type {
  MailItemAnswer,
  OpenedEmailAnswer,
  PageOf,
  ReadingAnswer,
  ThreadEmailAnswer,
} from '../answers/answers.ts';
import { hasShownImages, heightInLines } from '../frame/frame-page.ts';
import { readableBody } from './email-body.ts';
import { filtersOf } from './mail-filters.ts';
import { defineAppRoute, type WorkspaceVisit } from './route.ts';
import type { AppServices } from './services.ts';
import { whyOf } from './why.ts';

const listQuery = listEmailsQuery
  .pick({ mailboxId: true, folderType: true, viewId: true, filtered: true, search: true, cursor: true, limit: true })
  .extend({ labelId: z.string().optional(), unread: z.enum(['only']).optional() });

/** A page shows so many recipients of one email. */
const MOST_NAMED = 3;

export const mailAppRoutes = [
  defineAppRoute({
    method: 'GET',
    path: '/workspaces/{workspaceId}/emails',
    needs: 'member',
    query: listQuery,
    call: async ({ query }, { mailboxRead }, visit): Promise<PageOf<MailItemAnswer>> => {
      const { labelId, unread, filtered, ...asked } = query;
      const filtersJson = filtersOf({ labelId, isUnread: unread === 'only' });
      const page = await mailboxRead.listEmails({ ...asked, filteredOnly: filtered === 'only', filtersJson }, visit);
      const { items, nextCursor, hasMore } = read<PageOf<EmailListItem>>(page);
      return { items: items.map(toItem), nextCursor, hasMore };
    },
  }),
  defineAppRoute({
    method: 'GET',
    path: '/workspaces/{workspaceId}/emails/{emailId}',
    needs: 'member',
    call: async ({ params: { emailId } }, services, visit): Promise<OpenedEmailAnswer> => {
      const { mailboxRead } = services;
      const [found, explained, mailboxes] = await Promise.all([
        mailboxRead.getEmail({ emailId }, visit),
        mailboxRead.explainEmail({ emailId }, visit),
        mailboxRead.listMailboxes({}, visit),
      ]);
      const email = toThreadEmail({ ...toJsonEmail(found), tags: explained.labels });
      const thread = found.threadId === undefined ? [email] : await threadOf(found.threadId, email, services, visit);
      return { email, folderType: folderTypeOf(found, mailboxes.items), thread, why: whyOf(explained) };
    },
  }),
  defineAppRoute({
    method: 'GET',
    path: '/workspaces/{workspaceId}/emails/{emailId}/reading',
    needs: 'member',
    call: async ({ params: { emailId } }, services, visit): Promise<ReadingAnswer> => {
      const [{ body, authentication }, { keptBy }] = await Promise.all([
        readableBody(emailId, services, visit),
        services.mailboxRead.findOriginal({ emailId }, visit),
      ]);
      const { html = null, text = null } = body ?? {};
      const { spf = null, dkim = null, dmarc = null } = authentication ?? {};
      return {
        text,
        hasHtml: html !== null,
        hasImages: html !== null && hasShownImages(html),
        lines: html === null ? 0 : heightInLines(html),
        authentication: authentication ? { spf, dkim, dmarc } : null,
        keptBy: keptBy as ReadingAnswer['keptBy'],
      };
    },
  }),
];

const read = <Answer>({ json }: Page): Answer => JSON.parse(Buffer.from(json).toString('utf8')) as Answer;

/** The opened email is always in it, also where the thread has outgrown what is shown. */
async function threadOf(
  threadId: string,
  email: ThreadEmailAnswer,
  { mailboxRead }: AppServices,
  visit: WorkspaceVisit,
) {
  const { emails } = read<{ emails: EmailListItem[] }>(await mailboxRead.getThread({ threadId }, visit));
  const thread = emails.map((item) => (item.id === email.id ? email : toThreadEmail(item)));
  return thread.includes(email) ? thread : [email, ...thread];
}

function folderTypeOf({ mailboxId, folderId }: { mailboxId: string; folderId: string }, mailboxes: Mailbox[]) {
  const mailbox = mailboxes.find(({ id }) => id === mailboxId);
  const type = mailbox?.folders.find(({ id }) => id === folderId)?.type;
  return FOLDER_TYPES.find((known) => known === type) ?? null;
}

type Shown = Pick<
  EmailListItem,
  | 'id'
  | 'mailboxId'
  | 'from'
  | 'to'
  | 'cc'
  | 'subject'
  | 'snippet'
  | 'date'
  | 'isRead'
  | 'isStarred'
  | 'isDraft'
  | 'attachments'
  | 'tags'
>;

function toItem({ attachments, to, ...item }: Shown): MailItemAnswer {
  const { id, mailboxId, from, subject, snippet, date, isRead, isStarred, isDraft, tags } = item;
  const shown = { id, mailboxId, from, to: to.slice(0, MOST_NAMED), subject, snippet, date };
  return { ...shown, isRead, isStarred, isDraft, attachmentCount: attachments.length, tags };
}

function toThreadEmail(email: Shown): ThreadEmailAnswer {
  const { to, cc, attachments } = email;
  return { ...toItem(email), to, cc, attachments };
}
