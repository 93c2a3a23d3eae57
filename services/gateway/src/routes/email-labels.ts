import { emailLabelsReply } from '@postroom/resources/email';
import { toJsonLabelRef } from '@postroom/resources/label';
import { defineRoute } from './route.ts';

const path = '/emails/{emailId}/labels/{labelId}';
const tag = 'Emails';
const scope = 'write';
const errors = ['EMAIL_NOT_FOUND', 'LABEL_NOT_FOUND'] as const;

export const emailLabelRoutes = [
  defineRoute({
    method: 'POST',
    path,
    operationId: 'applyLabel',
    tag,
    summary: 'Put a label on an email',
    description: 'No body. A label that is there already is not put on again.',
    scope,
    idempotent: true,
    reply: { status: 200, schema: emailLabelsReply, description: 'The labels of the email.' },
    errors,
    call: async ({ params }, { mailboxWrite }, context) => {
      const { labels } = await mailboxWrite.applyLabel(params, context);
      return { labels: labels.map(toJsonLabelRef) };
    },
  }),
  defineRoute({
    method: 'DELETE',
    path,
    operationId: 'removeLabel',
    tag,
    summary: 'Take a label off an email',
    scope,
    reply: { status: 200, schema: emailLabelsReply, description: 'The labels that are left.' },
    errors,
    call: async ({ params }, { mailboxWrite }, context) => {
      const { labels } = await mailboxWrite.removeLabel(params, context);
      return { labels: labels.map(toJsonLabelRef) };
    },
  }),
];
