import { ACTOR_KINDS } from '@postroom/contract/actor';
import type { AuditLogEntry } from '@postroom/proto/postroom/v1/activity';
import { cursor, limit } from '@postroom/resources/paging';
import { z } from 'zod';
import type { ActivityAnswer, PageOf } from '../answers/answers.ts';
import { csvLine } from './csv.ts';
import { defineAppRoute, type TextAnswer, type WorkspaceVisit } from './route.ts';
import type { AppServices } from './services.ts';

const moment = z.iso.datetime({ offset: true, error: 'must be a date-time such as 2026-03-01T12:00:00Z' });
const filters = {
  actorKind: z.enum(ACTOR_KINDS).optional(),
  actor: z.string().max(200).optional(),
  action: z.string().max(100).optional(),
  from: moment.optional(),
  to: moment.optional(),
};
const activityQuery = z.object({ ...filters, limit, cursor });
type Filters = z.output<ReturnType<typeof z.object<typeof filters>>>;

const COLUMNS = [
  'at',
  'actor kind',
  'actor',
  'actor id',
  'address',
  'action',
  'target kind',
  'target',
  'target id',
  'outcome',
];
const PAGE = 200;
/** A file of so many lines opens in a spreadsheet; a narrower period gives the rest. */
const MOST_LINES = 100_000;

export const activityAppRoutes = [
  defineAppRoute({
    method: 'GET',
    path: '/workspaces/{workspaceId}/activity',
    needs: 'admin',
    query: activityQuery,
    call: async ({ query }, { activity }, visit): Promise<PageOf<ActivityAnswer>> => {
      const { items, nextCursor = null, hasMore } = await activity.listAudit(toRequest(query), visit);
      return { items: items.map(toJsonActivity), nextCursor, hasMore };
    },
  }),
  defineAppRoute({
    method: 'GET',
    path: '/workspaces/{workspaceId}/activity.csv',
    needs: 'admin',
    query: z.object(filters),
    call: async ({ query }, services, visit): Promise<TextAnswer> => ({
      type: 'text/csv; charset=utf-8',
      fileName: 'activity.csv',
      pieces: linesOf(query, services, visit),
    }),
  }),
];

async function* linesOf(query: Filters, { activity }: AppServices, visit: WorkspaceVisit): AsyncGenerator<string> {
  yield csvLine(COLUMNS);
  let next: string | undefined;
  // Each page has the time of a call, because the whole may take longer.
  const { deadline: _deadline, ...context } = visit;
  for (let lines = 0; lines < MOST_LINES; lines += PAGE) {
    const page = await activity.listAudit({ ...toRequest(query), limit: PAGE, cursor: next }, context);
    for (const entry of page.items) yield csvLine(cellsOf(toJsonActivity(entry)));
    next = page.nextCursor;
    if (!page.hasMore || next === undefined) return;
  }
}

function toRequest({ actor, from, to, ...query }: Filters & { limit?: number; cursor?: string | undefined }) {
  return { limit: PAGE, ...query, actorId: actor, since: from, until: to };
}

function cellsOf({ at, actor, action, targetKind, targetName, targetId, outcome }: ActivityAnswer): string[] {
  return [at, actor.kind, actor.name, actor.id, actor.address, action, targetKind, targetName, targetId, outcome];
}

function toJsonActivity(entry: AuditLogEntry): ActivityAnswer {
  const { id, at, actor, action, targetKind, targetId, targetName, outcome } = entry;
  if (!actor) throw new Error('an audit entry was answered without its actor');
  return {
    id,
    at,
    actor: {
      kind: actor.kind as ActivityAnswer['actor']['kind'],
      id: actor.id,
      name: actor.name,
      address: actor.address,
    },
    action,
    targetKind,
    targetId,
    targetName,
    outcome: outcome as ActivityAnswer['outcome'],
  };
}
