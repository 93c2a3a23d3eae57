import type { Feature } from '@postroom/contract/lists';
import { sendsDrafts } from '@postroom/contract/sending-levels';
import { callerReply, draftSendReply, readingReply, toJsonDraftSend, toJsonReading } from './mcp-replies.ts';
import { defineRoute, type Route } from './route.ts';
import { throwSendError } from './send-error.ts';

const tag = 'MCP';
const UNKNOWN = 'It is not known whether the draft was sent; call again with the same draft.';

/** The calls that the MCP server makes beside those of the API. */
export function mcpRoutes(features: readonly Feature[]): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/caller',
      operationId: 'getCaller',
      tag,
      summary: 'What the caller may do',
      forMcp: true,
      isDiscovery: true,
      scope: 'read',
      reply: { status: 200, schema: callerReply, description: 'The caller, and the open parts of the API.' },
      errors: [],
      call: async (_input, _services, { scopes, agent: { level } }) => ({
        scopes: [...scopes],
        maySend: sendsDrafts(level),
        features: [...features],
      }),
    }),
    ...mailRoutes,
  ];
}

const mailRoutes: readonly Route[] = [
  defineRoute({
    method: 'GET',
    path: '/emails/{emailId}/reading',
    operationId: 'readEmail',
    tag,
    summary: 'One email with what is needed to read it: its body as it came, and what is known of its sender',
    forMcp: true,
    scope: 'read',
    reply: { status: 200, schema: readingReply, description: 'The email.' },
    errors: ['NOT_FOUND', 'MAILBOX_INACTIVE'],
    call: async ({ params }, { mailboxRead }, context) =>
      toJsonReading(await mailboxRead.getEmailBody({ ...params, asStored: true, remoteImages: false }, context)),
  }),
  defineRoute({
    method: 'POST',
    path: '/drafts/{draftId}/send',
    operationId: 'sendDraft',
    tag,
    summary: 'Send a draft, as far as the level of the agent goes',
    forMcp: true,
    scope: 'write',
    permission: 'agentSend',
    // The draft is the operation: a repeat finds the first send by it.
    idempotent: false,
    reply: { status: 200, schema: draftSendReply, description: 'What became of the draft.' },
    errors: ['DRAFT_NOT_FOUND', 'MAILBOX_INACTIVE', 'CONFLICT'],
    call: async ({ params }, { outboundSend }, context) =>
      toJsonDraftSend(
        await outboundSend
          .sendDraft({ ...params, agent: context.agent }, context)
          .catch((error) => throwSendError(error, UNKNOWN)),
      ),
  }),
  defineRoute({
    method: 'GET',
    path: '/drafts/{draftId}/send',
    operationId: 'getDraftSend',
    tag,
    summary: 'What became of a draft that an agent has asked to send',
    forMcp: true,
    scope: 'read',
    reply: { status: 200, schema: draftSendReply, description: 'What became of the draft.' },
    errors: ['DRAFT_NOT_FOUND'],
    call: async ({ params }, { outboundSend }, context) =>
      toJsonDraftSend(await outboundSend.getDraftSend(params, context)),
  }),
];
