import { bounds } from '@postroom/contract/bounds';
import { ApiError } from '@postroom/errors/api-error';
import { toMessageDraft, toMessageEmail, type ShownEmail } from '@postroom/mail-store/email-message';
import type { GetEmailBodyResponse } from '@postroom/proto/postroom/v1/mailbox_read';
import type { Draft, Email } from '@postroom/proto/postroom/v1/resources';
import type { Call } from '@postroom/rpc/call';
import type { EmailStore } from './email-store.ts';
import { clampLimit } from './paging.ts';
import type { Sanitiser } from './sanitiser.ts';

const LONGEST_THREAD = bounds.threadEmails;

export async function getEmail(emailId: string, call: Call, emails: EmailStore): Promise<Email> {
  const email = await emails.find(call.workspaceId, emailId, call);
  if (!email) throw new ApiError('EMAIL_NOT_FOUND');
  return toMessageEmail(email);
}

export async function getEmailBody(
  emailId: string,
  call: Call,
  emails: EmailStore,
  sanitiser: Sanitiser,
): Promise<GetEmailBodyResponse> {
  const email = await emails.find(call.workspaceId, emailId, call);
  if (!email) throw new ApiError('NOT_FOUND');
  const [[content], thread] = await Promise.all([
    emails.bodies(call.workspaceId, [emailId], call),
    threadOf(email, call, emails),
  ]);
  const html = content?.html ? await sanitiser.clean(content.html, call) : content?.html;
  return {
    emailId,
    threadId: email.threadId ?? undefined,
    body: { html: html ?? undefined, text: content?.text ?? undefined },
    thread: thread.map(toMessageEmail),
  };
}

/** Oldest first. The email asked for is always in it, also where the thread has outgrown what is shown. */
async function threadOf(email: ShownEmail, call: Call, emails: EmailStore): Promise<ShownEmail[]> {
  if (email.threadId === null) return [email];
  const newest = await emails.thread(call.workspaceId, email.mailboxId, email.threadId, LONGEST_THREAD, call);
  const others = newest.filter(({ _id }) => _id !== email._id);
  if (others.length === newest.length) return [email, ...others.slice(0, LONGEST_THREAD - 1).reverse()];
  return newest.reverse();
}

export async function listDrafts(limit: number, call: Call, emails: EmailStore): Promise<Draft[]> {
  const drafts = await emails.drafts(call.workspaceId, clampLimit(limit), call);
  const ids = drafts.map(({ _id }) => _id);
  const contents = await emails.bodies(call.workspaceId, ids, call);
  const byId = new Map(contents.map((content) => [content._id, content]));
  return drafts.map((draft) => toMessageDraft(draft, byId.get(draft._id) ?? null));
}

export async function getDraft(draftId: string, call: Call, emails: EmailStore): Promise<Draft> {
  const draft = await emails.findDraft(call.workspaceId, draftId, call);
  if (!draft) throw new ApiError('DRAFT_NOT_FOUND');
  const [content] = await emails.bodies(call.workspaceId, [draftId], call);
  return toMessageDraft(draft, content ?? null);
}
