import { isAddress } from '@postroom/contract/address';
import { z } from 'zod';
import type { ConsentAnswer, ConsentBegunAnswer } from '../answers/answers.ts';
import { connectingByConsent } from './connecting.ts';
import { defineAppRoute } from './route.ts';

/** Each provider has a return address of its own, so the answer of one is never taken for that of another. */
const RETURN_PATH = '/app/mailboxes/consent';

const provider = z.enum(['gmail', 'microsoft365'], 'must be gmail or microsoft365');
const id = z.string().min(1, 'is required').max(100, 'must have at most 100 characters');
const beginRequest = z.strictObject({
  provider,
  email: z.string().trim().refine(isAddress, 'must be one plain email address').optional(),
  mailboxId: id.optional(),
});
const finishRequest = z.strictObject({ provider, query: z.string().max(8_192, 'is too long') });
const connectRequest = z.strictObject({ consentId: id, mailboxId: id.optional() });

export const mailboxConsentAppRoutes = [
  defineAppRoute({
    method: 'POST',
    path: '/workspaces/{workspaceId}/mailbox-consents',
    needs: 'admin',
    status: 201,
    body: beginRequest,
    call: async ({ params: { workspaceId }, body }, { workspaces }, visit): Promise<ConsentBegunAnswer> => {
      const { email: loginHint, mailboxId } = body;
      const redirectUri = `${visit.appUrl}${RETURN_PATH}/${body.provider}`;
      const request = { workspaceId, sessionId: visit.sessionId, provider: body.provider, redirectUri };
      const { url } = await workspaces.beginConsent({ ...request, loginHint, mailboxId }, visit);
      return { url };
    },
  }),
  defineAppRoute({
    method: 'POST',
    path: '/workspaces/{workspaceId}/mailbox-consents/finish',
    needs: 'admin',
    body: finishRequest,
    call: async ({ params: { workspaceId }, body }, { workspaces }, visit): Promise<ConsentAnswer> => {
      const request = { workspaceId, sessionId: visit.sessionId, ...body };
      const { id: consentId, email, mailboxId = null } = await workspaces.finishConsent(request, visit);
      return { id: consentId, email, mailboxId };
    },
  }),
  defineAppRoute({
    method: 'POST',
    path: '/workspaces/{workspaceId}/mailbox-consents/connect',
    needs: 'admin',
    body: connectRequest,
    call: async ({ params: { workspaceId }, body }, services, visit) => {
      const request = { workspaceId, sessionId: visit.sessionId, ...body };
      const store = () => services.workspaces.connectByConsent(request, visit);
      return connectingByConsent(body.consentId, store, services, visit);
    },
  }),
];
