import { codePoints, faultInName } from '@postroom/contract/text';
import { ApiError } from '@postroom/errors/api-error';
import type { PersonDocument } from '@postroom/mail-store/documents/identity';
import type { TimeBudget } from '@postroom/mail-store/time-limit';
import type { IdentityServiceDefinition, Person } from '@postroom/proto/postroom/v1/identity';
import type { Handlers } from '@postroom/rpc/definition';
import { parseRequest } from '@postroom/rpc/parse-request';
import { z } from 'zod';
import { membershipsOf, type PersonalStore } from '../members/members.ts';
import type { Passwords } from '../passwords/passwords.ts';
import { requireOpenSession, type PersonSessionDeps } from '../sessions/sessions.ts';
import type { SignInLimits } from '../sign-in-limits/sign-in-limits.ts';
import type { PersonStore } from './person-store.ts';

export type { PersonStore } from './person-store.ts';

export interface PeopleDeps extends PersonSessionDeps {
  people: PersonStore;
  personal: PersonalStore;
  passwords: Passwords;
  limits: SignInLimits;
}

const PASSWORD = { min: 10, max: 200 };

const passwordRules = z.object({
  password: z
    .string()
    .refine((text) => isWithin(codePoints(text)), `must have ${PASSWORD.min} to ${PASSWORD.max} characters`),
});

const nameRules = z.object({
  name: z
    .string()
    .trim()
    .superRefine((value, context) => {
      const fault = faultInName(value, { min: 1, max: 100 });
      if (fault) context.addIssue({ code: 'custom', message: fault });
    }),
});

const isWithin = (length: number): boolean => length >= PASSWORD.min && length <= PASSWORD.max;

export function peopleHandlers(deps: PeopleDeps) {
  const { people, personal, passwords, sessions, limits } = deps;
  return {
    setPassword: async (request, call) => {
      const { personId, sessionId, currentPassword, visitor } = request;
      const { password } = parseRequest(passwordRules, request);
      const person = await find(personId, people, call);
      if (person.password) {
        const address = visitor?.address ?? '';
        const attempt = await limits.begin({ emailKey: person.emailKey, address }, call);
        if (!(await passwords.matches(currentPassword ?? '', person.password, address)))
          throw new ApiError('SIGN_IN_REFUSED');
        await attempt.succeeded();
      }
      const hash = await passwords.hash(password);
      // A session that ended while this was computed sets nothing any more.
      const { proofId } = await requireOpenSession({ personId, sessionId }, call, deps);
      const isReplaced = await people.replacePassword({ ...person, proofId }, hash, call);
      if (!isReplaced)
        throw new ApiError('CONFLICT', { message: 'The password was changed elsewhere; sign in again.' });
      await sessions.endOthers(personId, sessionId, call);
      return {};
    },

    renamePerson: async (request, call) => {
      const { name } = parseRequest(nameRules, request);
      const renamed = await people.rename(request.personId, name, call);
      if (!renamed) throw new ApiError('PERSON_NOT_FOUND');
      return toMessagePerson(renamed, personal, call);
    },
  } satisfies Partial<Handlers<IdentityServiceDefinition>>;
}

async function find(personId: string, people: PersonStore, budget: TimeBudget): Promise<PersonDocument> {
  const person = await people.find(personId, budget);
  if (!person) throw new ApiError('PERSON_NOT_FOUND');
  return person;
}

export async function toMessagePerson(
  { _id, email, name, password, createdAt }: PersonDocument,
  personal: PersonalStore,
  budget: TimeBudget,
): Promise<Person> {
  const memberships = await membershipsOf(_id, personal, budget);
  return { id: _id, email, name, hasPassword: password !== null, createdAt: createdAt.toISOString(), memberships };
}
