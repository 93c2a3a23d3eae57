import { ApiError } from '@postroom/errors/api-error';
import type { Change } from '@postroom/proto/postroom/v1/changes';
import { z } from 'zod';
import type { MailChangeAnswer, MailChangesAnswer } from '../answers/answers.ts';
import { defineAppRoute } from './route.ts';

const MOST = 500;

/** A page asks again and again instead of keeping a stream open: a browser has few connections for all its windows. */
export const changeAppRoutes = [
  defineAppRoute({
    method: 'GET',
    path: '/workspaces/{workspaceId}/changes',
    needs: 'member',
    feature: 'changes',
    query: z.object({ since: z.string().max(500).optional() }),
    call: async ({ query: { since } }, { changes }, visit): Promise<MailChangesAnswer> => {
      if (!changes) throw new ApiError('NOT_FOUND');
      const from =
        since === undefined ? ({ $case: 'now', value: true } as const) : { $case: 'cursor' as const, value: since };
      const page = await changes.listChanges({ since: from, limit: MOST }, visit);
      return { items: page.changes.flatMap(toMailChange), nextCursor: page.nextCursor, hasMore: page.hasMore };
    },
  }),
];

function toMailChange({ event, data }: Change): MailChangeAnswer[] {
  const { emailId, changes, folderType } = JSON.parse(data) as Partial<MailChangeAnswer>;
  if (emailId === undefined) return [];
  return [{ event, emailId, ...(changes && { changes }), ...(folderType && { folderType }) }];
}
