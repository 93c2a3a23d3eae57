import { z } from 'zod';
import type { ListChangesRequest } from '@postroom/proto/postroom/v1/changes';
import { changePage, changesQuery, since, toJsonChangePage } from '@postroom/resources/change';
import { defineRoute } from './route.ts';

const tag = 'Changes';
const feature = 'changes';

export const changeRoutes = [
  defineRoute({
    method: 'GET',
    path: '/changes',
    operationId: 'listChanges',
    tag,
    feature,
    summary: 'What has changed since a cursor, the oldest first',
    description:
      'Without `since`, from the oldest change that is kept: seven days. With `wait`, the answer may come so many seconds later.',
    scope: 'read',
    query: changesQuery,
    reply: { status: 200, schema: changePage, description: 'A page of changes, and the cursor behind it.' },
    errors: ['CHANGES_EXPIRED'],
    call: async ({ query: { since, limit, wait } }, { changes }, context) => {
      const page = await changes.listChanges({ since: positionOf(since), limit }, context);
      const { pageBytes } = context;
      if (page.changes.length > 0 || wait === 0) return toJsonChangePage(page, pageBytes);
      const { nextSeq } = page;
      return {
        async later({ signal, feed, callAgain }) {
          const isNewer = await feed.newer(context.workspaceId, nextSeq, { ms: wait * 1_000, signal });
          if (!isNewer) return toJsonChangePage(page, pageBytes);
          const behind = { since: { $case: 'seq', value: nextSeq }, limit } as const;
          return toJsonChangePage(await callAgain((again) => changes.listChanges(behind, again)), pageBytes);
        },
      };
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/changes/stream',
    operationId: 'streamChanges',
    tag,
    feature,
    summary: 'Changes as they come, as server-sent events',
    description:
      'Each event has the cursor behind the change as its `id`, the event as its `event`, and the change as its `data`. ' +
      'It begins behind `Last-Event-ID`, else behind `since`, else at the present end, and ends after five minutes at most: ' +
      'a client comes back with the last id.',
    scope: 'read',
    query: z.object({ since }),
    reply: { status: 200, type: 'text/event-stream', description: 'Server-sent events, as they come.' },
    errors: ['CHANGES_EXPIRED'],
    call: async ({ query }, { changes }, context) => {
      const { workspaceId, lastEventId } = context;
      const position = positionOf(lastEventId || (query.since ?? 'now'));
      const { changes: found, nextSeq } = await changes.listChanges({ since: position, limit: 1 }, context);
      // The first page of the stream brings this change, too.
      const after = found[0] ? found[0].seq - 1 : nextSeq;
      return {
        async later({ signal, feed, isStillAllowed }) {
          return { stream: feed.openStream({ workspaceId, after, isStillAllowed, signal }) };
        },
      };
    },
  }),
];

function positionOf(since: string | undefined): ListChangesRequest['since'] {
  if (since === undefined) return undefined;
  return since === 'now' ? { $case: 'now', value: true } : { $case: 'cursor', value: since };
}
