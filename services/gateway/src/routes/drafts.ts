import { draftListReply, draftReply, listDraftsQuery, toJsonDraft } from '../resources/draft.ts';
import { defineRoute } from '../route.ts';

const tag = 'Drafts';

export const draftRoutes = [
  defineRoute({
    method: 'GET',
    path: '/drafts',
    operationId: 'listDrafts',
    tag,
    summary: 'The most recent drafts',
    description: 'With the bodies of the newest, up to 2 MB in all; those of others are in the single draft.',
    scope: 'read',
    query: listDraftsQuery,
    reply: { status: 200, schema: draftListReply, description: 'The drafts, newest first, without pages.' },
    errors: [],
    call: async ({ query }, { mailboxRead }, context) => {
      const { items } = await mailboxRead.listDrafts(query, context);
      return { items: items.map(toJsonDraft) };
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/drafts/{draftId}',
    operationId: 'getDraft',
    tag,
    summary: 'One draft',
    scope: 'read',
    reply: { status: 200, schema: draftReply, description: 'The draft.' },
    errors: ['DRAFT_NOT_FOUND'],
    call: async ({ params }, { mailboxRead }, context) => ({
      draft: toJsonDraft(await mailboxRead.getDraft(params, context)),
    }),
  }),
];
