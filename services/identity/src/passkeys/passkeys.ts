import { ApiError } from '@postroom/errors/api-error';
import { refuse } from '@postroom/errors/refuse';
import { faultInName } from '@postroom/contract/text';
import type { PasskeyDocument, PersonDocument } from '@postroom/mail-store/documents/identity';
import type { IdentityServiceDefinition, Passkey } from '@postroom/proto/postroom/v1/identity';
import type { Call } from '@postroom/rpc/call';
import type { Handlers } from '@postroom/rpc/definition';
import { type PeopleDeps, toMessagePerson } from '../people/people.ts';
import { beginSessionBy, hashOfToken, requireOpenSession, toMessageSession } from '../sessions/sessions.ts';
import { challengeIn, creationOptions, refusal, requestOptions, verifiedCreation, verifiedUse } from './ceremonies.ts';
import type { PasskeyStore } from './passkey-store.ts';

export interface PasskeyDeps extends PeopleDeps {
  passkeys: PasskeyStore;
}

const CHALLENGE_MS = 5 * 60_000;
const MOST_PASSKEYS = 20;
const NAME = { min: 1, max: 100 };
const NOBODY = '';

export function passkeyHandlers(deps: PasskeyDeps) {
  const { passkeys, people, context } = deps;
  return {
    listPasskeys: async ({ personId }, call) => ({
      items: (await passkeys.list(personId, call)).map(toMessagePasskey),
    }),

    removePasskey: async ({ personId, passkeyId }, call) => {
      await passkeys.remove(personId, passkeyId, call);
      return {};
    },

    beginPasskey: async ({ personId, origin }, call) => {
      const person = await people.find(personId, call);
      if (!person) throw new ApiError('PERSON_NOT_FOUND');
      const known = await passkeys.list(personId, call);
      if (known.length >= MOST_PASSKEYS) throw tooManyPasskeys();
      const options = await creationOptions(person, known, origin);
      await remember(options.challenge, personId, deps);
      return { optionsJson: JSON.stringify(options) };
    },

    addPasskey: async ({ personId, sessionId, name, responseJson, origin }, call) => {
      const fault = faultInName(name, NAME);
      if (fault) refuse('name', fault);
      const response = readResponse(responseJson);
      const challenge = await takeChallenge(response, personId, call, deps);
      const made = await verifiedCreation(response, challenge, origin);
      const { proofId } = await requireOpenSession({ personId, sessionId }, call, deps);
      const passkey = { ...made, personId, proofId, name, createdAt: context.clock.date(), lastUsedAt: null };
      if (!(await passkeys.insert(passkey)))
        throw new ApiError('CONFLICT', { message: 'This passkey is known already; use it to sign in.' });
      return toMessagePasskey(passkey);
    },
  } satisfies Partial<Handlers<IdentityServiceDefinition>>;
}

export function passkeySignInHandlers(deps: PasskeyDeps) {
  const { passkeys, people, context } = deps;
  return {
    beginPasskeySignIn: async ({ origin, visitor }, call) => {
      await deps.limits.ask(visitor?.address ?? '', call);
      const options = await requestOptions(origin);
      await remember(options.challenge, NOBODY, deps);
      return { optionsJson: JSON.stringify(options) };
    },

    signInWithPasskey: async ({ responseJson, origin, visitor }, call) => {
      const response = readResponse(responseJson);
      const passkeyId = idIn(response);
      const address = visitor?.address ?? '';
      const attempt = await deps.limits.begin({ emailKey: `passkey ${passkeyId}`, address }, call);
      const challenge = await takeChallenge(response, NOBODY, call, deps);
      const passkey = await passkeys.find(passkeyId, call);
      const person = passkey && (await people.find(passkey.personId, call));
      if (!passkey || !person || !isOfProof(passkey, person)) throw refusal();
      const counter = await verifiedUse(response, passkey, challenge, origin).catch((error: unknown) => {
        deps.signInLog.failed(person._id, address);
        throw error;
      });
      await attempt.succeeded();
      await passkeys.recordUse(passkeyId, counter, context.clock.date(), call);
      const isStillThere = async () => (await passkeys.find(passkeyId, call)) !== null;
      const { token, session } = await beginSessionBy({ isStillThere, refusal }, person, visitor, deps, call);
      return { token, session: toMessageSession(session), person: await toMessagePerson(person, deps.personal, call) };
    },
  } satisfies Partial<Handlers<IdentityServiceDefinition>>;
}

async function remember(challenge: string, personId: string, { passkeys, context }: PasskeyDeps): Promise<void> {
  const expiresAt = new Date(context.clock.now() + CHALLENGE_MS);
  await passkeys.insertChallenge(hashOfToken(challenge), personId, expiresAt);
}

/** A passkey that is stored while a provider proves the address for the first time opens nothing. */
const isOfProof = ({ proofId }: PasskeyDocument, person: PersonDocument): boolean =>
  (proofId ?? null) === (person.proofId ?? null);

/** Each challenge is answered once, so that an answer that somebody overheard is worth nothing. */
async function takeChallenge(
  response: unknown,
  personId: string,
  call: Call,
  { passkeys, context }: PasskeyDeps,
): Promise<string> {
  const challenge = challengeIn(response);
  const now = context.clock.date();
  if (challenge === undefined || !(await passkeys.takeChallenge(hashOfToken(challenge), personId, now, call)))
    throw refusal();
  return challenge;
}

function readResponse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    throw refusal();
  }
}

function idIn(response: unknown): string {
  const { id } = (response as { id?: unknown } | null) ?? {};
  return typeof id === 'string' ? id : '';
}

function tooManyPasskeys(): ApiError {
  return new ApiError('CONFLICT', { message: `A person has at most ${MOST_PASSKEYS} passkeys; remove one first.` });
}

function toMessagePasskey({ _id, name, createdAt, lastUsedAt }: PasskeyDocument): Passkey {
  return { id: _id, name, createdAt: createdAt.toISOString(), lastUsedAt: lastUsedAt?.toISOString() };
}
