import { mailboxListReply, toJsonMailbox } from '@postroom/resources/mailbox';
import { defineRoute } from './route.ts';

export const mailboxRoutes = [
  defineRoute({
    method: 'GET',
    path: '/mailboxes',
    operationId: 'listMailboxes',
    tag: 'Mailboxes',
    summary: 'The connected mailboxes',
    scope: 'read',
    reply: { status: 200, schema: mailboxListReply, description: 'The mailboxes.' },
    errors: [],
    call: async (_input, { mailboxRead }, context) => {
      const { items } = await mailboxRead.listMailboxes({}, context);
      return { items: items.map(toJsonMailbox) };
    },
  }),
];
