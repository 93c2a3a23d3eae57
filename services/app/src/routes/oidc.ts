import { z } from 'zod';
import type { OidcSignInAnswer } from '../answers/answers.ts';
import { toSignedIn } from './people.ts';
import { defineAppRoute } from './route.ts';

const finishRequest = z.strictObject({ token: z.string().max(200), query: z.string().max(8_192) });

/** The page that the provider returns the browser to. */
const RETURN_PATH = '/app/sign-in/return';

export const oidcAppRoutes = [
  defineAppRoute({
    method: 'POST',
    path: '/session/oidc',
    needs: 'anyone',
    call: async (_input, { identity }, visit): Promise<OidcSignInAnswer> => {
      const { visitor, appUrl } = visit;
      return identity.beginOidcSignIn({ redirectUri: `${appUrl}${RETURN_PATH}`, visitor }, visit);
    },
  }),
  defineAppRoute({
    method: 'POST',
    path: '/session/oidc/finish',
    needs: 'anyone',
    body: finishRequest,
    call: async ({ body }, { identity }, visit) =>
      toSignedIn(await identity.signInWithOidc({ ...body, visitor: visit.visitor }, visit), visit),
  }),
];
