import type { ListThreadsRequest } from '@postroom/proto/postroom/v1/mailbox_read';
import type { Page } from '@postroom/proto/postroom/v1/resources';
import type { Call } from '@postroom/rpc/call';
import { narrow, type ListDeps } from './list-emails.ts';
import { clampLimit, startOf } from '../pages/paging.ts';
import { readThreadPage, type ThreadDeps } from '../threads/threads.ts';

/** GET /threads: the threads of the emails that GET /emails shows. */
export async function listThreads(request: ListThreadsRequest, call: Call, deps: ListDeps & ThreadDeps): Promise<Page> {
  const { mailboxId, folderType, viewId, cursor, limit, pageBytes } = request;
  const identity = ['threads', call.workspaceId, mailboxId ?? null, folderType ?? null, viewId ?? null];
  const position = startOf(cursor, identity, deps.cursors);
  const narrowed = await narrow(
    { mailboxId, folderType, viewId, filteredOnly: false, filtersJson: undefined, search: undefined },
    call,
    deps,
  );
  return readThreadPage({ identity, position, limit: clampLimit(limit), pageBytes, ...narrowed }, deps, call);
}
