import type { Feature } from '@postroom/contract/lists';
import { callerReply, readingReply, toJsonReading } from './mcp-replies.ts';
import { defineRoute, type Route } from './route.ts';

const tag = 'MCP';

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
      call: async (_input, _services, { scopes, maySend }) => ({
        scopes: [...scopes],
        maySend,
        features: [...features],
      }),
    }),
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
        toJsonReading(await mailboxRead.getEmailBody({ ...params, asStored: true }, context)),
    }),
  ];
}
