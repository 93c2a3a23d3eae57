import type * as proto from '@postroom/proto/postroom/v1/identity';
import { z } from 'zod';
import type { PasskeyAnswer } from '../answers/answers.ts';
import { toSignedIn } from './people.ts';
import { defineAppRoute } from './route.ts';

/** Identity checks the answer of the browser. */
const response = z.record(z.string(), z.unknown());
const addRequest = z.strictObject({ name: z.string().trim().default('Passkey'), response });

const toOptions = ({ optionsJson }: proto.PasskeyOptions) => ({ options: JSON.parse(optionsJson) as object });

export const passkeyAppRoutes = [
  defineAppRoute({
    method: 'POST',
    path: '/session/passkey/options',
    needs: 'anyone',
    call: async (_input, { identity }, visit) =>
      toOptions(await identity.beginPasskeySignIn({ origin: visit.appUrl, visitor: visit.visitor }, visit)),
  }),
  defineAppRoute({
    method: 'POST',
    path: '/session/passkey',
    needs: 'anyone',
    body: z.strictObject({ response }),
    call: async ({ body }, { identity }, visit) => {
      const { visitor, appUrl: origin } = visit;
      const request = { responseJson: JSON.stringify(body.response), origin, visitor };
      return toSignedIn(await identity.signInWithPasskey(request, visit), visit);
    },
  }),
  defineAppRoute({
    method: 'GET',
    path: '/account/passkeys',
    needs: 'person',
    call: async (_input, { identity }, visit) => ({
      items: (await identity.listPasskeys({ personId: visit.personId }, visit)).items.map(toJsonPasskey),
    }),
  }),
  defineAppRoute({
    method: 'POST',
    path: '/account/passkeys/options',
    needs: 'person',
    call: async (_input, { identity }, visit) =>
      toOptions(await identity.beginPasskey({ personId: visit.personId, origin: visit.appUrl }, visit)),
  }),
  defineAppRoute({
    method: 'POST',
    path: '/account/passkeys',
    needs: 'person',
    body: addRequest,
    status: 201,
    call: async ({ body: { name, response: answer } }, { identity }, visit) => {
      const { personId, sessionId, appUrl: origin } = visit;
      const request = { personId, sessionId, name, responseJson: JSON.stringify(answer), origin };
      return { passkey: toJsonPasskey(await identity.addPasskey(request, visit)) };
    },
  }),
  defineAppRoute({
    method: 'DELETE',
    path: '/account/passkeys/{passkeyId}',
    needs: 'person',
    status: 204,
    call: ({ params: { passkeyId } }, { identity }, visit) =>
      identity.removePasskey({ personId: visit.personId, passkeyId }, visit),
  }),
];

function toJsonPasskey({ id, name, createdAt, lastUsedAt }: proto.Passkey): PasskeyAnswer {
  return { id, name, createdAt, lastUsedAt: lastUsedAt ?? null };
}
