import { bounds } from '@postroom/contract/bounds';
import { bulkReply, bulkRequest, distinctEmails, processedEmails, runBulk } from '@postroom/resources/bulk';
import { defineRoute } from './route.ts';

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
    call: ({ body }, { mailboxWrite }, context) => runBulk(body, mailboxWrite, context),
  }),
];
