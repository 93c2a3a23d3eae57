import { z } from 'zod';
import type { PresentAnswer } from '../answers/answers.ts';
import { toJsonLink, toJsonPerson, toJsonSession, toSignedIn } from './people.ts';
import { defineAppRoute } from './route.ts';

const signInRequest = z.strictObject({ email: z.string(), password: z.string() });
const linkRequest = z.strictObject({ token: z.string().max(200) });

export const sessionAppRoutes = [
  defineAppRoute({
    method: 'GET',
    path: '/session',
    needs: 'anyone',
    call: async (_input, { identity }, visit): Promise<PresentAnswer> => {
      const { features, apiUrl } = visit;
      const { person, session } = visit.token ? await identity.resolveSession({ token: visit.token }, visit) : {};
      if (!person || !session) {
        const { oidcName = null } = await identity.getSignInWays({}, visit);
        return { person: null, session: null, features, apiUrl, oidcName };
      }
      const present = { person: toJsonPerson(person), session: toJsonSession(session, session.id) };
      return { ...present, features, apiUrl, oidcName: null };
    },
  }),
  defineAppRoute({
    method: 'POST',
    path: '/session',
    needs: 'anyone',
    body: signInRequest,
    call: async ({ body }, { identity }, visit) =>
      toSignedIn(await identity.signIn({ ...body, visitor: visit.visitor }, visit), visit),
  }),
  defineAppRoute({
    method: 'DELETE',
    path: '/session',
    needs: 'anyone',
    status: 204,
    call: async (_input, { identity }, visit) => {
      const { person, session } = visit.token ? await identity.resolveSession({ token: visit.token }, visit) : {};
      if (person && session) {
        const { id, name, email } = person;
        const actor = { kind: 'person', id, name: name || email, address: visit.visitor.address } as const;
        await identity.endSession({ personId: id, sessionId: session.id }, { ...visit, actor });
      }
      visit.signOut();
      return {};
    },
  }),
  defineAppRoute({
    method: 'POST',
    path: '/links/read',
    needs: 'anyone',
    body: linkRequest,
    call: async ({ body }, { identity }, visit) => ({
      link: toJsonLink(await identity.readLink({ ...body, visitor: visit.visitor }, visit)),
    }),
  }),
  defineAppRoute({
    method: 'POST',
    path: '/links/accept',
    needs: 'anyone',
    body: linkRequest,
    call: async ({ body }, { identity }, visit) =>
      toSignedIn(await identity.acceptLink({ ...body, visitor: visit.visitor }, visit), visit),
  }),
  defineAppRoute({
    method: 'POST',
    path: '/invitations/accept',
    needs: 'person',
    body: linkRequest,
    call: async ({ body }, { identity }, visit) => ({
      person: toJsonPerson(await identity.acceptInvitation({ ...body, personId: visit.personId }, visit)),
    }),
  }),
];
