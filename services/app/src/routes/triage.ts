import {
  bulkRequest,
  toJsonBulkDelete,
  toJsonBulkLabel,
  toJsonBulkMarkRead,
  type BulkReply,
  type BulkRequest,
} from '@postroom/resources/bulk';
import { updateEmailRequest } from '@postroom/resources/email';
import { defineAppRoute, type WorkspaceVisit } from './route.ts';
import type { AppServices } from './services.ts';

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
    call: ({ body }, services, visit) => change(body, services, visit),
  }),
];

async function change(body: BulkRequest, { mailboxWrite }: AppServices, visit: WorkspaceVisit): Promise<BulkReply> {
  const { emailIds } = body;
  switch (body.action) {
    case 'markRead':
      return toJsonBulkMarkRead(await mailboxWrite.bulkMarkRead({ emailIds, isRead: body.isRead }, visit), body.isRead);
    case 'delete':
      return toJsonBulkDelete(await mailboxWrite.bulkDelete({ emailIds }, visit));
    case 'applyLabel':
      return toJsonBulkLabel(await mailboxWrite.bulkApplyLabel({ emailIds, labelId: body.labelId }, visit));
    case 'removeLabel':
      return toJsonBulkLabel(await mailboxWrite.bulkRemoveLabel({ emailIds, labelId: body.labelId }, visit));
  }
}
