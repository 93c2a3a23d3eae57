import { z } from 'zod';
import { toJsonPerson, toJsonSession } from './people.ts';
import { defineAppRoute } from './route.ts';

const nameRequest = z.strictObject({ name: z.string() });
const passwordRequest = z.strictObject({ password: z.string(), currentPassword: z.string().optional() });

export const accountAppRoutes = [
  defineAppRoute({
    method: 'PATCH',
    path: '/account',
    needs: 'person',
    body: nameRequest,
    call: async ({ body: { name } }, { identity }, visit) => ({
      person: toJsonPerson(await identity.renamePerson({ personId: visit.personId, name }, visit)),
    }),
  }),
  defineAppRoute({
    method: 'PUT',
    path: '/account/password',
    needs: 'person',
    body: passwordRequest,
    status: 204,
    call: ({ body }, { identity }, visit) => {
      const { personId, sessionId, visitor } = visit;
      return identity.setPassword({ ...body, personId, sessionId, visitor }, visit);
    },
  }),
  defineAppRoute({
    method: 'GET',
    path: '/account/sessions',
    needs: 'person',
    call: async (_input, { identity }, visit) => {
      const { items } = await identity.listSessions({ personId: visit.personId }, visit);
      return { items: items.map((session) => toJsonSession(session, visit.sessionId)) };
    },
  }),
  defineAppRoute({
    method: 'DELETE',
    path: '/account/sessions/{sessionId}',
    needs: 'person',
    status: 204,
    call: async ({ params: { sessionId } }, { identity }, visit) => {
      await identity.endSession({ personId: visit.personId, sessionId }, visit);
      if (sessionId === visit.sessionId) visit.signOut();
      return {};
    },
  }),
];
