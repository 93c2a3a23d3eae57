import { bulkRequest, runBulk } from '@postroom/resources/bulk';
import { updateEmailRequest } from '@postroom/resources/email';
import { defineAppRoute } from './route.ts';

/** Members triage, too: what is done to emails here, keys with the scope write can do. */
export const triageAppRoutes = [
  defineAppRoute({
    method: 'PATCH',
    path: '/workspaces/{workspaceId}/emails/{emailId}',
    needs: 'member',
    body: updateEmailRequest,
    status: 204,
    call: ({ params: { emailId }, body: { isRead, isStarred } }, { mailboxWrite }, visit) =>
      mailboxWrite.updateEmail({ emailId, isRead, isStarred }, visit),
  }),
  defineAppRoute({
    method: 'POST',
    path: '/workspaces/{workspaceId}/emails/bulk',
    needs: 'member',
    body: bulkRequest,
    call: ({ body }, { mailboxWrite }, visit) => runBulk(body, mailboxWrite, visit),
  }),
];
