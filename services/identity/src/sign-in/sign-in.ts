import { addressKey } from '@postroom/contract/address';
import { ApiError } from '@postroom/errors/api-error';
import type { IdentityServiceDefinition } from '@postroom/proto/postroom/v1/identity';
import type { Handlers } from '@postroom/rpc/definition';
import type { MemberDeps } from '../members/members.ts';
import { type PeopleDeps, toMessagePerson } from '../people/people.ts';
import { beginSessionBy, toMessageSession, useSession } from '../sessions/sessions.ts';

/** No address and no password is longer, so nothing longer is hashed. */
const MOST_LENGTH = 1_000;

const refusal = () => new ApiError('SIGN_IN_REFUSED');

export function signInHandlers(deps: PeopleDeps & Pick<MemberDeps, 'members'>) {
  const { people, members, personal, passwords, limits, signInLog } = deps;
  return {
    signIn: async ({ email, password, visitor }, call) => {
      if (email.length > MOST_LENGTH || password.length > MOST_LENGTH) throw refusal();
      const emailKey = addressKey(email);
      const address = visitor?.address ?? '';
      const attempt = await limits.begin({ emailKey, address }, call);
      const person = await people.byEmail(emailKey, call);
      const isRight = await passwords.matches(password, person?.password ?? null, address);
      if (person && !isRight) signInLog.failed(person._id, address);
      if (!person || !isRight) throw refusal();
      await attempt.succeeded();
      const isStillThere = async () => (await people.find(person._id, call))?.password?.hash === person.password?.hash;
      const { token, session } = await beginSessionBy({ isStillThere, refusal }, person, visitor, deps, call);
      return { token, session: toMessageSession(session), person: await toMessagePerson(person, personal, call) };
    },

    resolveSession: async ({ token }, call) => {
      const session = await useSession(token, deps, call);
      const person = session && (await people.find(session.personId, call));
      if (!session || !person) return {};
      return { session: toMessageSession(session), person: await toMessagePerson(person, personal, call) };
    },

    admitPerson: async ({ token, workspaceId, withName }, call) => {
      const session = await useSession(token, deps, call);
      if (!session) return {};
      const { personId, publicId: sessionId } = session;
      const [role, person] = await Promise.all([
        workspaceId ? members.role(workspaceId, personId, call) : undefined,
        withName ? people.find(personId, call) : undefined,
      ]);
      return { personId, sessionId, role, name: person?.name || person?.email };
    },
  } satisfies Partial<Handlers<IdentityServiceDefinition>>;
}
