import { every } from '@postroom/mail-store/filter-tree/query';
import { wordsIn } from '@postroom/mail-store/words';
import type { SearchEmailsRequest } from '@postroom/proto/postroom/v1/mailbox_read';
import type { Page } from '@postroom/proto/postroom/v1/resources';
import type { Call } from '@postroom/rpc/call';
import { scopeQuery } from './scope.ts';
import { clampLimit, readPage, startOf, type PagingDeps } from '../pages/paging.ts';
import { searchTiers } from './search-tiers.ts';

/** GET /emails/search: by relevance, which is the tier, then by date. */
export function searchEmails(request: SearchEmailsRequest, call: Call, deps: PagingDeps): Promise<Page> {
  const { q, mailboxId, folderType, cursor, limit, pageBytes } = request;
  const scope = scopeQuery(request);
  const identity = ['search', call.workspaceId, q, mailboxId ?? null, folderType ?? null];
  const position = startOf(cursor, identity, deps.cursors);
  const tiers = searchTiers(wordsIn(q)).map((tier) => every([tier, scope]));
  return readPage({ identity, tiers, position, limit: clampLimit(limit), pageBytes }, deps, call);
}
