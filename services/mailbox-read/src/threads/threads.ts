import { bounds } from '@postroom/contract/bounds';
import { ApiError } from '@postroom/errors/api-error';
import type { Page } from '@postroom/proto/postroom/v1/resources';
import type { Call } from '@postroom/rpc/call';
import type { ServiceContext } from '@postroom/runtime/service';
import type { Position } from '../cursors/cursors.ts';
import type { SettingsStore } from '../workspace-settings/settings-store.ts';
import { fitting, pageJson, itemsWithLabels, type PagingDeps } from '../pages/paging.ts';
import { fewThreads, MOST_MEMBERS, scanThreads, type Asked } from './find-threads.ts';
import { earlierPages, listingAt } from './thread-position.ts';
import { summarize } from './summary.ts';
import type { ThreadListStore } from './thread-list-store.ts';

export interface ThreadDeps extends PagingDeps {
  context: Pick<ServiceContext, 'clock'>;
  settings: Pick<SettingsStore, 'livingLabels' | 'mailboxes'>;
  threads: ThreadListStore;
}

interface ThreadPageRequest extends Pick<Asked, 'query' | 'mailboxes'> {
  identity: readonly unknown[];
  position: Position;
  limit: number;
  pageBytes?: number | undefined;
}

/** A page may end early, as a page of emails may. Its cursor continues from there. */
export async function readThreadPage(request: ThreadPageRequest, deps: ThreadDeps, call: Call): Promise<Page> {
  const { identity, position, limit, pageBytes, query, mailboxes } = request;
  const listing = listingAt(position, deps.context.clock.now());
  const asked = { query, mailboxes, listing, count: limit + 1 };
  const few = query === mailboxes ? null : await fewThreads(asked, deps, call);
  const { found, stoppedAt = null } = few ?? (await scanThreads(asked, deps, call));
  const shown = found.slice(0, limit);
  const summaries = await summarize(shown, deps, call);
  const json = shown.map((thread) => (summaries.has(thread) ? inLatin1(summaries.get(thread)) : ''));
  const fitted = fitting(json, pageBytes);
  const page = shown.slice(0, fitted.length);
  const after = found.length > page.length ? (page.at(-1)?.at ?? null) : stoppedAt;
  const items = fitted.filter((item) => item !== '');
  if (!after) return { json: pageJson(items, null) };
  const earlier = earlierPages(listing, page, after);
  return { json: pageJson(items, deps.cursors.write(identity, { tier: 0, after, earlier })) };
}

/** GET /threads/{threadId}: the thread, and its newest emails, the oldest of them first. */
export async function getThread(threadId: string, call: Call, deps: ThreadDeps): Promise<Page> {
  const { workspaceId } = call;
  const mailboxIds = (await deps.settings.mailboxes(workspaceId, call)).map(({ _id }) => _id);
  const mailboxId = await deps.threads.mailboxOf(workspaceId, threadId, mailboxIds, call);
  if (mailboxId === undefined) throw new ApiError('THREAD_NOT_FOUND');
  const key = { mailboxId, threadId };
  const [members, items] = await Promise.all([
    deps.threads.newestMembers(workspaceId, key, MOST_MEMBERS, call),
    deps.pages.newest(workspaceId, key, { after: null }, bounds.threadEmails, call),
  ]);
  const thread = { ...key, members };
  const [summaries, emails] = await Promise.all([summarize([thread], deps, call), itemsWithLabels(items, deps, call)]);
  const summary = summaries.get(thread);
  if (!summary) throw new ApiError('THREAD_NOT_FOUND');
  const json = `{"thread":${inLatin1(summary)},"emails":[${emails.toReversed().join(',')}]}`;
  return { json: Buffer.from(json, 'latin1') };
}

/** Items of a page are UTF-8 bytes read as latin1. */
const inLatin1 = (json: unknown): string => Buffer.from(JSON.stringify(json)).toString('latin1');
