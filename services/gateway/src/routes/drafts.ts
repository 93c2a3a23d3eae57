import { composeRequest, toMessageCompose } from '@postroom/resources/compose';
import { draftListReply, draftReply, listDraftsQuery, toJsonDraft } from '@postroom/resources/draft';
import { emailReply, toJsonEmail } from '@postroom/resources/email';
import { defineRoute } from './route.ts';
import { throwSendError } from './send-error.ts';

const tag = 'Drafts';
const UNKNOWN = 'It is not known whether the message was sent; ask once more with the same Idempotency-Key.';

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
      const { items } = await mailboxRead.listDrafts({ ...query, waitingOnly: false, withoutBodies: false }, context);
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
      draft: toJsonDraft(await mailboxRead.getDraft({ ...params, withoutBody: false }, context)),
    }),
  }),
  defineRoute({
    method: 'POST',
    path: '/drafts',
    operationId: 'createDraft',
    tag,
    summary: 'Prepare a draft',
    description: 'For a person to review: it stands among the drafts of its mailbox, and is not sent.',
    scope: 'write',
    idempotent: true,
    body: composeRequest,
    reply: { status: 201, schema: draftReply, description: 'The new draft.' },
    errors: ['MAILBOX_NOT_FOUND', 'MAILBOX_INACTIVE', 'INVALID_SENDER_ALIAS'],
    call: async ({ body }, { outboundSend, mailboxRead }, context) => {
      const { draftId } = await outboundSend.createDraft(toMessageCompose(body), context);
      return { draft: toJsonDraft(await mailboxRead.getDraft({ draftId, withoutBody: false }, context)) };
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/drafts/send',
    operationId: 'sendEmail',
    tag,
    summary: 'Send an email now',
    description:
      '`500` means that nothing was sent, and says why. `408` means that it is not known yet: the message is not sent again, and its `Idempotency-Key` answers `409` until it is known.',
    scope: 'write',
    permission: 'send',
    idempotent: true,
    outcomeMayBeOpen: { notBegun: 'Nothing was sent: the time of the call was over before it began.' },
    body: composeRequest,
    reply: { status: 200, schema: emailReply, description: 'The email as it stands among the sent ones.' },
    errors: ['MAILBOX_NOT_FOUND', 'MAILBOX_INACTIVE', 'INVALID_SENDER_ALIAS'],
    waitsFor: ({ mailboxId }) => mailboxId,
    call: async ({ body }, { outboundSend }, context) => ({
      email: toJsonEmail(
        await outboundSend.sendEmail(toMessageCompose(body), context).catch((error) => throwSendError(error, UNKNOWN)),
      ),
    }),
  }),
];
