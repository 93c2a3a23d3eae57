import { bounds } from '@postroom/contract/bounds';
import {
  bulkReply,
  bulkRequest,
  distinctEmails,
  processedEmails,
  toJsonBulkDelete,
  toJsonBulkLabel,
  toJsonBulkMarkRead,
  type BulkReply,
  type BulkRequest,
} from '@postroom/resources/bulk';
import { defineRoute, type RouteContext } from './route.ts';
import type { Services } from './services.ts';

type Writer = Services['mailboxWrite'];

export const bulkRoutes = [
  defineRoute({
    method: 'POST',
    path: '/emails/bulk',
    operationId: 'bulkEmails',
    tag: 'Emails',
    summary: `Change up to ${bounds.bulkEmails.max} emails at once`,
    description: 'Costs one unit per email it processed, at least one; unknown emails are skipped and cost nothing.',
    scope: 'write',
    idempotent: true,
    body: bulkRequest,
    units: { reserve: (body) => distinctEmails(body).length, used: processedEmails },
    reply: { status: 200, schema: bulkReply, description: 'What became of each email, by the action.' },
    errors: ['LABEL_NOT_FOUND', 'INVALID_TAG'],
    call: ({ body }, { mailboxWrite }, context) => runAction(body, mailboxWrite, context),
  }),
];

async function runAction(body: BulkRequest, writer: Writer, context: RouteContext): Promise<BulkReply> {
  const emailIds = distinctEmails(body);
  switch (body.action) {
    case 'markRead':
      return toJsonBulkMarkRead(await writer.bulkMarkRead({ emailIds, isRead: body.isRead }, context), body.isRead);
    case 'delete':
      return toJsonBulkDelete(await writer.bulkDelete({ emailIds }, context));
    case 'applyLabel':
      return toJsonBulkLabel(await writer.bulkApplyLabel({ emailIds, labelId: body.labelId }, context));
    case 'removeLabel':
      return toJsonBulkLabel(await writer.bulkRemoveLabel({ emailIds, labelId: body.labelId }, context));
  }
}
