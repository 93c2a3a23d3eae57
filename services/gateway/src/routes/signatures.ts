import { signatureListReply, toJsonSignature } from '@postroom/resources/signature';
import { defineRoute } from './route.ts';

export const signatureRoutes = [
  defineRoute({
    method: 'GET',
    path: '/signatures',
    operationId: 'listSignatures',
    tag: 'Signatures',
    summary: 'The signatures that a draft or a send may name',
    scope: 'read',
    reply: { status: 200, schema: signatureListReply, description: 'The signatures.' },
    errors: [],
    call: async (_input, { mailboxRead }, context) => {
      const { items } = await mailboxRead.listSignatures({}, context);
      return { items: items.map(toJsonSignature) };
    },
  }),
];
