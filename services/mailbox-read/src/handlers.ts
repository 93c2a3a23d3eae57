import { toMessageMailbox, toMessageSignature } from '@postroom/mail-store/mailbox-message';
import { waitingWorkHandlers } from './waiting-work/waiting-work.ts';
import type { Deps, Rpcs } from './deps.ts';
import { decisionHandlers } from './decisions/decisions.ts';
import { explainingHandlers } from './explaining/explaining.ts';
import { listingHandlers } from './listing/listing.ts';
import { originalHandlers } from './originals/originals.ts';
import { getThread } from './threads/threads.ts';
import { getDraft, getEmail, getEmailBody, listDrafts } from './emails/read-email.ts';

export function createHandlers(deps: Deps): Rpcs {
  const { emails, settings, sanitiser } = deps;
  return {
    ...listingHandlers(deps),
    ...decisionHandlers(deps),
    ...waitingWorkHandlers(deps),
    ...explainingHandlers(deps),
    ...originalHandlers(deps),
    getThread: ({ threadId }, call) => getThread(threadId, call, deps),
    getEmail: ({ emailId }, call) => getEmail(emailId, call, emails),
    getEmailBody: (request, call) => getEmailBody(request, call, deps),
    readHtml: async ({ html }, call) => (await sanitiser.readText(html, call)) ?? { hidesText: true },
    listDrafts: async (request, call) => ({ items: await listDrafts(request, call, emails, sanitiser) }),
    getDraft: (request, call) => getDraft(request, call, deps),
    listMailboxes: async (_request, call) => ({
      items: (await settings.mailboxes(call.workspaceId, call)).map(toMessageMailbox),
    }),
    listSignatures: async (_request, call) => ({
      items: (await settings.signatures(call.workspaceId, call)).map(toMessageSignature),
    }),
  };
}
