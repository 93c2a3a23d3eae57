import { listThreadsQuery, threadPage, threadReply } from '@postroom/resources/thread';
import { defineRoute } from './route.ts';

const tag = 'Threads';

export const threadRoutes = [
  defineRoute({
    method: 'GET',
    path: '/threads',
    operationId: 'listThreads',
    tag,
    feature: 'threads',
    summary: 'A page of threads, by their newest email, most recent first',
    description:
      'The threads of the emails that `GET /emails` shows for the same parameters. A thread that gets mail while pages ' +
      'are read is on one of them all the same, once.',
    scope: 'read',
    query: listThreadsQuery,
    reply: { status: 200, schema: threadPage, description: 'One page.' },
    errors: ['VIEW_NOT_FOUND', 'QUERY_TIMEOUT'],
    call: async ({ query }, { mailboxRead }, context) =>
      (await mailboxRead.listThreads({ ...query, pageBytes: context.pageBytes }, context)).json,
  }),
  defineRoute({
    method: 'GET',
    path: '/threads/{threadId}',
    operationId: 'getThread',
    tag,
    feature: 'threads',
    summary: 'One thread with its emails',
    scope: 'read',
    reply: { status: 200, schema: threadReply, description: 'The thread and its emails.' },
    errors: ['THREAD_NOT_FOUND', 'QUERY_TIMEOUT'],
    call: async ({ params }, { mailboxRead }, context) => (await mailboxRead.getThread(params, context)).json,
  }),
];
