import type { MailboxReadServiceDefinition } from '@postroom/proto/postroom/v1/mailbox_read';
import type { Handlers } from '@postroom/rpc/definition';
import { listEmails, type ListDeps } from './list-emails.ts';
import { listThreads } from './list-threads.ts';
import { searchEmails } from './search-emails.ts';
import type { ThreadDeps } from '../threads/threads.ts';

export type ListingDeps = ListDeps & ThreadDeps;

export function listingHandlers(deps: ListingDeps) {
  return {
    listEmails: (request, call) => listEmails(request, call, deps),
    listThreads: (request, call) => listThreads(request, call, deps),
    searchEmails: async (request, call) => searchEmails(request, call, deps),
  } satisfies Partial<Handlers<MailboxReadServiceDefinition>>;
}
