import {
  emailBodyReply,
  emailPage,
  emailReply,
  toBodyParts,
  toJsonEmail,
  updateEmailRequest,
} from '@postroom/resources/email';
import { listEmailsQuery, searchEmailsQuery } from '@postroom/resources/email-query';
import { defineRoute } from './route.ts';

const tag = 'Emails';

export const emailRoutes = [
  defineRoute({
    method: 'GET',
    path: '/emails',
    operationId: 'listEmails',
    tag,
    summary: 'A page of emails, most recent first',
    description: 'All parameters narrow together. The plain INBOX listing leaves out what filters and rules hide.',
    scope: 'read',
    query: listEmailsQuery,
    reply: { status: 200, schema: emailPage, description: 'One page.' },
    errors: ['VIEW_NOT_FOUND', 'QUERY_TIMEOUT'],
    call: async ({ query }, { mailboxRead }, context) => {
      const request = {
        ...query,
        filteredOnly: query.filtered === 'only',
        filtersJson: query.filters,
        pageBytes: context.pageBytes,
      };
      return (await mailboxRead.listEmails(request, context)).json;
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/emails/search',
    operationId: 'searchEmails',
    tag,
    summary: 'A page of emails that match a search, the most relevant first',
    scope: 'read',
    query: searchEmailsQuery,
    reply: { status: 200, schema: emailPage, description: 'One page.' },
    errors: ['QUERY_TIMEOUT'],
    call: async ({ query }, { mailboxRead }, context) =>
      (await mailboxRead.searchEmails({ ...query, pageBytes: context.pageBytes }, context)).json,
  }),
  defineRoute({
    method: 'GET',
    path: '/emails/{emailId}',
    operationId: 'getEmail',
    tag,
    summary: 'One email, without its body',
    scope: 'read',
    reply: { status: 200, schema: emailReply, description: 'The email.' },
    errors: ['EMAIL_NOT_FOUND'],
    call: async ({ params }, { mailboxRead }, context) => ({
      email: toJsonEmail(await mailboxRead.getEmail(params, context)),
    }),
  }),
  defineRoute({
    method: 'GET',
    path: '/emails/{emailId}/body',
    operationId: 'getEmailBody',
    tag,
    summary: 'The body of an email and its thread',
    scope: 'read',
    reply: { status: 200, schema: emailBodyReply, description: 'The body and the thread.' },
    errors: ['NOT_FOUND', 'MAILBOX_INACTIVE'],
    call: async ({ params }, { mailboxRead }, context) => {
      const { emailId, threadId, body, thread } = await mailboxRead.getEmailBody(
        { ...params, asStored: false, remoteImages: false },
        context,
      );
      return { emailId, threadId: threadId ?? null, body: toBodyParts(body), thread: thread.map(toJsonEmail) };
    },
  }),
  defineRoute({
    method: 'PATCH',
    path: '/emails/{emailId}',
    operationId: 'updateEmail',
    tag,
    summary: 'Mark an email read or starred, or take that back',
    scope: 'write',
    body: updateEmailRequest,
    reply: { status: 200, schema: emailReply, description: 'The email as it is now.' },
    errors: ['NOT_FOUND'],
    call: async ({ params: { emailId }, body: { isRead, isStarred } }, { mailboxWrite }, context) => ({
      email: toJsonEmail(await mailboxWrite.updateEmail({ emailId, isRead, isStarred }, context)),
    }),
  }),
  defineRoute({
    method: 'DELETE',
    path: '/emails/{emailId}',
    operationId: 'deleteEmail',
    tag,
    summary: 'Move an email to the trash',
    scope: 'write',
    reply: { status: 204, description: 'The email is in the trash.' },
    errors: ['NOT_FOUND', 'NO_TRASH_FOLDER'],
    call: ({ params }, { mailboxWrite }, context) => mailboxWrite.deleteEmail(params, context),
  }),
];
