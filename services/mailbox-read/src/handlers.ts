import { toMessageMailbox, toMessageSignature } from '@postroom/mail-store/mailbox-message';
import type { MailboxReadServiceDefinition } from '@postroom/proto/postroom/v1/mailbox_read';
import type { Handlers } from '@postroom/rpc/definition';
import type { EmailStore } from './email-store.ts';
import { listEmails, type ListDeps } from './list-emails.ts';
import { getDraft, getEmail, getEmailBody, listDrafts } from './read-email.ts';
import type { Sanitiser } from './sanitiser.ts';
import { searchEmails } from './search-emails.ts';

export interface Deps extends ListDeps {
  emails: EmailStore;
  sanitiser: Sanitiser;
}

export function createHandlers(deps: Deps): Handlers<typeof MailboxReadServiceDefinition> {
  const { emails, directory, sanitiser } = deps;
  return {
    listEmails: (request, call) => listEmails(request, call, deps),
    searchEmails: async (request, call) => searchEmails(request, call, deps),
    getEmail: ({ emailId }, call) => getEmail(emailId, call, emails),
    getEmailBody: ({ emailId }, call) => getEmailBody(emailId, call, emails, sanitiser),
    listDrafts: async ({ limit }, call) => ({ items: await listDrafts(limit, call, emails) }),
    getDraft: ({ draftId }, call) => getDraft(draftId, call, emails),
    listMailboxes: async (_request, call) => ({
      items: (await directory.mailboxes(call.workspaceId, call)).map(toMessageMailbox),
    }),
    listSignatures: async (_request, call) => ({
      items: (await directory.signatures(call.workspaceId, call)).map(toMessageSignature),
    }),
  };
}
