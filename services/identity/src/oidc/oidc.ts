import { addressKey, isAddress } from '@postroom/contract/address';
import { ApiError } from '@postroom/errors/api-error';
import type { OidcAccountDocument, PersonDocument } from '@postroom/mail-store/documents/identity';
import type { IdentityServiceDefinition, SignedIn, SignInWithOidcRequest } from '@postroom/proto/postroom/v1/identity';
import type { Call } from '@postroom/rpc/call';
import type { Handlers } from '@postroom/rpc/definition';
import { acceptAsNewPerson, type LinkDeps } from '../invitations/invitations.ts';
import type { PasskeyDeps } from '../passkeys/passkeys.ts';
import { toMessagePerson } from '../people/people.ts';
import { beginSession, hashOfToken, type OpenedSession, toMessageSession } from '../sessions/sessions.ts';
import type { OidcStore } from './oidc-store.ts';
import type { OidcClaims, RelyingParty } from './relying-party.ts';

export { createRelyingParty } from './relying-party.ts';
export type { RelyingParty } from './relying-party.ts';

export interface OidcDeps extends LinkDeps {
  oidcStore: OidcStore;
  passkeys: PasskeyDeps['passkeys'];
}

const SIGN_IN_MS = 10 * 60_000;
/** Providers return a code and a state; nothing that they return is longer. */
const MOST_QUERY = 8_192;

export function oidcHandlers(provider: RelyingParty | undefined, deps: OidcDeps) {
  const { oidcStore, context } = deps;
  return {
    getSignInWays: async () => ({ oidcName: provider?.name }),

    beginOidcSignIn: async ({ redirectUri, visitor }, call) => {
      if (!provider) throw new ApiError('NOT_FOUND');
      await deps.limits.ask(visitor?.address ?? '', call);
      const { url, secrets } = await provider.begin(redirectUri);
      const token = context.ids('oidc');
      const expiresAt = new Date(context.clock.now() + SIGN_IN_MS);
      await oidcStore.insertSignIn({ _id: hashOfToken(token), ...secrets, expiresAt });
      return { url, token };
    },

    signInWithOidc: async (request, call) => {
      if (!provider) throw new ApiError('NOT_FOUND');
      return signIn(provider, request, call, deps);
    },
  } satisfies Partial<Handlers<IdentityServiceDefinition>>;
}

async function signIn(
  provider: RelyingParty,
  { token, query, visitor }: SignInWithOidcRequest,
  call: Call,
  deps: OidcDeps,
): Promise<SignedIn> {
  const { oidcStore, limits, personal, context } = deps;
  const tokenHash = hashOfToken(token);
  const attempt = await limits.begin({ address: visitor?.address ?? '' }, call);
  const secrets = query.length > MOST_QUERY ? null : await oidcStore.takeSignIn(tokenHash, context.clock.date(), call);
  if (!secrets) throw tooLate();
  const claims = await provider.finish(query, secrets);
  const { opened, person } = await openFor(claims, visitor, call, deps);
  await attempt.succeeded();
  const { token: sessionToken, session } = opened;
  return {
    token: sessionToken,
    session: toMessageSession(session),
    person: await toMessagePerson(person, personal, call),
  };
}

type Visitor = SignInWithOidcRequest['visitor'];
type Opened = { opened: OpenedSession; person: PersonDocument };

/**
 * An account at the provider opens the account here that it is linked to. A verified address links it to the person who
 * has this address, or to a new person whom somebody has invited. Everybody else gets one answer, so that nobody learns
 * which addresses have an account.
 */
async function openFor(claims: OidcClaims, visitor: Visitor, call: Call, deps: OidcDeps): Promise<Opened> {
  const { oidcStore, people } = deps;
  const accountId = hashOfToken(JSON.stringify([claims.issuer, claims.subject]));
  const account = await oidcStore.findAccount(accountId, call);
  if (account) {
    const person = await people.find(account.personId, call);
    if (!person) throw nobody();
    return openKnown(account, person, visitor, call, deps);
  }
  const email = claims.verifiedEmail;
  if (email === undefined || !isAddress(email)) throw nobody();
  const known = await people.byEmail(addressKey(email), call);
  if (!known) {
    const joined = await join(addressKey(email), visitor, call, deps);
    await endOthers(await link(accountId, claims, joined.person, call, deps), joined.opened, call, deps);
    return joined;
  }
  return openKnown(await link(accountId, claims, known, call, deps), known, visitor, call, deps);
}

async function openKnown(
  account: OidcAccountDocument,
  person: PersonDocument,
  visitor: Visitor,
  call: Call,
  deps: OidcDeps,
): Promise<Opened> {
  const opened = await beginSession(person, visitor, deps);
  await endOthers(account, opened, call, deps);
  return { opened, person };
}

/**
 * The one who invited an address could open the link in place of its owner. So what was set up before the provider proved the
 * address ends at the first sign-in. One that was interrupted here is finished by the next.
 */
async function endOthers(
  { _id, personId, othersEnded }: OidcAccountDocument,
  { session }: OpenedSession,
  call: Call,
  { oidcStore, sessions, people, passkeys, context }: OidcDeps,
): Promise<void> {
  if (othersEnded) return;
  const proofId = context.ids('proof');
  await people.prove(personId, proofId, call);
  await passkeys.removeAll(personId, call);
  // The last: a sign-in under way by what was removed has stored its session, or stores none that stays.
  await sessions.endOthers(personId, session.publicId, call);
  await sessions.prove(personId, session.publicId, proofId, call);
  await oidcStore.noteOthersEnded(_id, call);
}

async function join(emailKey: string, visitor: Visitor, call: Call, deps: OidcDeps): Promise<Opened> {
  const invitation = await deps.links.findInvitationOf(emailKey, deps.context.clock.date(), call);
  if (!invitation) throw nobody();
  return acceptAsNewPerson(invitation, visitor, call, deps);
}

/** An address can be given to another person at the provider, who gets nothing of the one who had it before. */
async function link(
  accountId: string,
  { issuer }: OidcClaims,
  { _id: personId }: PersonDocument,
  call: Call,
  { oidcStore, context }: OidcDeps,
): Promise<OidcAccountDocument> {
  const account = { _id: accountId, personId, issuer, othersEnded: false, createdAt: context.clock.date() };
  if (await oidcStore.insertAccount(account)) return account;
  const known = await oidcStore.findAccount(accountId, call);
  if (known?.personId !== personId) throw nobody();
  return known;
}

const nobody = () =>
  new ApiError('SIGN_IN_REFUSED', {
    message:
      'No account here belongs to this sign-in. Ask an owner to invite your address, which the provider must have verified.',
  });

const tooLate = () =>
  new ApiError('SIGN_IN_REFUSED', {
    message: 'This sign-in took too long, was used already, or began in another browser. Start it again.',
  });
