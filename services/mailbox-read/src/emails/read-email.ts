import { bounds } from '@postroom/contract/bounds';
import { ApiError } from '@postroom/errors/api-error';
import { isBodyOf } from '@postroom/mail-store/body-version';
import { toMessageDraft, toMessageEmail, type ShownEmail } from '@postroom/mail-store/email-message';
import type { MailboxSyncServiceDefinition } from '@postroom/proto/postroom/v1/mailbox_sync';
import type {
  GetDraftRequest,
  GetEmailBodyRequest,
  GetEmailBodyResponse,
  ListDraftsRequest,
} from '@postroom/proto/postroom/v1/mailbox_read';
import type { Draft, Email } from '@postroom/proto/postroom/v1/resources';
import type { Call } from '@postroom/rpc/call';
import type { Client } from '@postroom/rpc/definition';
import type { StoredContent, SingleEmailStore } from './email-store.ts';
import { clampLimit } from '../pages/paging.ts';
import type { Images, Sanitiser } from '../html/html-thread.ts';

const LONGEST_THREAD = bounds.threadEmails;
/** Bodies may be megabytes: few are in memory at once, and no call reads more than this of them. */
const AT_ONCE = 4;
const MOST_READ = 8 * bounds.draftBodiesLength;

export async function getEmail(emailId: string, call: Call, emails: SingleEmailStore): Promise<Email> {
  const email = await emails.find(call.workspaceId, emailId, call);
  if (!email) throw new ApiError('EMAIL_NOT_FOUND');
  return toMessageEmail(email);
}

export interface BodyDeps {
  emails: SingleEmailStore;
  sanitiser: Sanitiser;
  mailboxSync: Pick<Client<MailboxSyncServiceDefinition>, 'fetchBody'>;
}

export async function getEmailBody(
  { emailId, asStored, remoteImages }: GetEmailBodyRequest,
  call: Call,
  deps: BodyDeps,
): Promise<GetEmailBodyResponse> {
  const { emails, sanitiser } = deps;
  const email = await emails.find(call.workspaceId, emailId, call);
  if (!email) throw new ApiError('NOT_FOUND');
  const [content, thread] = await Promise.all([contentOf(email, call, deps), threadOf(email, call, emails)]);
  const stored = content?.html ?? null;
  const html = asStored ? stored : await cleaned(stored, call, sanitiser, remoteImages ? 'remote' : 'carried');
  const { spf, dkim, dmarc } = email.authentication ?? {};
  return {
    emailId,
    threadId: email.threadId ?? undefined,
    body: { html: html ?? undefined, text: content?.text ?? undefined },
    thread: thread.map(toMessageEmail),
    authentication: email.authentication && {
      spf: spf ?? undefined,
      dkim: dkim ?? undefined,
      dmarc: dmarc ?? undefined,
    },
  };
}

/**
 * An evicted body comes from its provider, as does that of a draft whose present version is not stored yet. While the
 * provider is unavailable the caller gets an error and may try again.
 */
async function contentOf(email: ShownEmail, call: Call, { emails, mailboxSync }: BodyDeps) {
  const { _id: emailId, mailboxId } = email;
  const [content] = await emails.bodies(call.workspaceId, [emailId], call);
  const isPresent = content !== undefined && isBodyOf(content, email);
  if (isPresent || !(await emails.isElsewhere(call.workspaceId, emailId, call))) return content;
  return mailboxSync.fetchBody({ mailboxId, emailId }, call);
}

/** Oldest first. The email asked for is always in it, also where the thread has outgrown what is shown. */
async function threadOf(email: ShownEmail, call: Call, emails: SingleEmailStore): Promise<ShownEmail[]> {
  if (email.threadId === null) return [email];
  const newest = await emails.thread(call.workspaceId, email.mailboxId, email.threadId, LONGEST_THREAD, call);
  const others = newest.filter(({ _id }) => _id !== email._id);
  if (others.length === newest.length) return [email, ...others.slice(0, LONGEST_THREAD - 1).reverse()];
  return newest.reverse();
}

export async function listDrafts(
  { limit, waitingOnly, withoutBodies }: ListDraftsRequest,
  call: Call,
  emails: SingleEmailStore,
  sanitiser: Sanitiser,
): Promise<Draft[]> {
  const count = clampLimit(limit);
  const drafts = await emails[waitingOnly ? 'waitingReplies' : 'drafts'](call.workspaceId, count, call);
  if (withoutBodies) return drafts.map((draft) => toMessageDraft(draft, null));
  const byId = await bodiesOf(drafts, call, emails);
  return Promise.all(drafts.map((draft) => shownDraft(draft, byId.get(draft._id), call, sanitiser)));
}

/** The newest drafts that fit into one answer. Other drafts are read one by one. */
async function bodiesOf(
  drafts: ShownEmail[],
  call: Call,
  emails: SingleEmailStore,
): Promise<Map<string, StoredContent>> {
  const shown = new Map<string, StoredContent>();
  let left: number = bounds.draftBodiesLength;
  let read = 0;
  for (let from = 0; from < drafts.length && read < MOST_READ; from += AT_ONCE) {
    const some = drafts.slice(from, from + AT_ONCE);
    const ids = some.map(({ _id }) => _id);
    const contents = await emails.bodies(call.workspaceId, ids, call);
    for (const content of contents.toSorted((one, other) => ids.indexOf(one._id) - ids.indexOf(other._id))) {
      // Of another version than its draft: a mail program is saving it.
      if (!some.some((draft) => draft._id === content._id && isBodyOf(content, draft))) continue;
      const length = (content.html?.length ?? 0) + (content.text?.length ?? 0);
      read += length;
      if (length > left) continue;
      left -= length;
      shown.set(content._id, content);
    }
  }
  return shown;
}

export async function getDraft({ draftId, withoutBody }: GetDraftRequest, call: Call, deps: BodyDeps): Promise<Draft> {
  const draft = await deps.emails.findDraft(call.workspaceId, draftId, call);
  if (!draft) throw new ApiError('DRAFT_NOT_FOUND');
  if (withoutBody) return toMessageDraft(draft, null);
  const content = await contentOf(draft, call, deps).catch(asWithoutBody);
  return shownDraft(draft, content, call, deps.sanitiser);
}

/** As in lists: a draft is shown without a body that cannot be had now. */
function asWithoutBody(error: unknown): undefined {
  if (!(error instanceof ApiError)) throw error;
}

/** As it is stored, or as a provider gives it. */
interface Content {
  html?: string | null | undefined;
  text?: string | null | undefined;
}

/** Drafts come from mailboxes, too, and may contain the html of strangers. */
async function shownDraft(draft: ShownEmail, content: Content | undefined, call: Call, sanitiser: Sanitiser) {
  if (!content) return toMessageDraft(draft, null);
  const { html = null, text = null } = content;
  return toMessageDraft(draft, { html: await cleaned(html, call, sanitiser), text });
}

async function cleaned(
  html: string | null,
  call: Call,
  sanitiser: Sanitiser,
  images: Images = 'carried',
): Promise<string | null> {
  return html ? sanitiser.clean(html, call, images) : html;
}
