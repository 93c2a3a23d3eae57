import { describe, expect, it } from '@jest/globals';
import type { PasskeyDocument, PersonDocument, SessionDocument } from '@postroom/mail-store/documents/identity';
import { createAuthenticator } from '../../../../test/support/authenticator.ts';
import { codeOf } from '../../../../test/support/identity.ts';
import { type AtCall, interleave, ordersOfTwo, watched } from '../../../../test/support/interleavings.ts';
import type { MemberDeps } from '../members/members.ts';
import { type OidcDeps, oidcHandlers, type RelyingParty } from '../oidc/oidc.ts';
import { passkeyHandlers, passkeySignInHandlers } from '../passkeys/passkeys.ts';
import { type PeopleDeps, peopleHandlers } from '../people/people.ts';
import { signInHandlers } from '../sign-in/sign-in.ts';

const PERSON = 'per_olga';
const OLD = 'the old one';
const ORIGIN = 'http://localhost:4000';
/** More than either of two processes makes. */
const CALLS = 10;

type Deps = PeopleDeps & OidcDeps & Pick<MemberDeps, 'members'>;

const oidcStore = {
  takeSignIn: async () => ({}),
  findAccount: async () => ({ _id: 'account', personId: PERSON, othersEnded: false }),
  noteOthersEnded: async () => undefined,
};
const provider = { finish: async () => ({ issuer: 'issuer', subject: 'olga' }) } as unknown as RelyingParty;

/** A person with one session and an old password, and the two handlers that meet, each with stores that wait. */
function world(password: string | null = OLD) {
  const own = { publicId: 'ses_own', proofId: null } as SessionDocument;
  const sessions = new Map<string, SessionDocument>([['ses_own', own]]);
  const state: { password: string | null; proofId: string | null } = { password, proofId: null };
  const passkeys = new Map<string, PasskeyDocument>();
  const person = () => ({
    _id: PERSON,
    email: '',
    emailKey: '',
    name: '',
    password: state.password === null ? null : { hash: state.password },
    proofId: state.proofId,
    createdAt: new Date(0),
  });
  const stores = {
    people: {
      byEmail: async () => person(),
      find: async () => person(),
      replacePassword: async (known: PersonDocument, { hash }: { hash: string }) => {
        if ((known.password?.hash ?? null) !== state.password || known.proofId !== state.proofId) return false;
        state.password = hash;
        return true;
      },
      prove: async (_personId: string, proofId: string) => void Object.assign(state, { proofId, password: null }),
    },
    sessions: {
      insert: async (session: SessionDocument) => void sessions.set(session.publicId, session),
      end: async (_personId: string, publicId: string) => void sessions.delete(publicId),
      findOpen: async (_personId: string, publicId: string) => sessions.get(publicId) ?? null,
      prove: async (_personId: string, publicId: string, proofId: string) =>
        void Object.assign(sessions.get(publicId) ?? {}, { proofId }),
      endOthers: async (_personId: string, kept: string) => {
        for (const publicId of sessions.keys()) if (publicId !== kept) sessions.delete(publicId);
      },
    },
    passkeys: {
      find: async (id: string) => passkeys.get(id) ?? null,
      list: async () => [...passkeys.values()],
      insert: async (passkey: PasskeyDocument) => Boolean(passkeys.set(passkey._id, passkey)),
      removeAll: async () => passkeys.clear(),
      recordUse: async () => undefined,
      insertChallenge: async () => undefined,
      takeChallenge: async () => true,
    },
  };
  const depsOf = (at: AtCall, name = 'sign_in') =>
    ({
      people: watched(stores.people, at),
      sessions: watched(stores.sessions, at),
      passkeys: watched(stores.passkeys, at),
      oidcStore: watched(oidcStore, at),
      personal: { everyMembership: async () => [], everyWorkspace: async () => [] },
      passwords: {
        matches: async (given: string, stored: { hash: string }) => given === stored.hash,
        hash: async (given: string) => ({ hash: given }),
      },
      limits: { begin: async () => ({ succeeded: async () => undefined }) },
      signInLog: { signedIn: async () => undefined, failed: () => undefined },
      context: { clock: { now: () => 0, date: () => new Date(0) }, ids: (kind: string) => `${kind}_${name}` },
    }) as unknown as Deps;
  return { sessions, state, passkeys, depsOf };
}

const call = {} as never;
const signIn = (deps: Deps) =>
  signInHandlers(deps).signIn({ email: 'olga@acme.example', password: 'the old one', visitor: undefined }, call);
const byProvider = (deps: Deps) =>
  oidcHandlers(provider, deps).signInWithOidc({ token: '', query: '', visitor: undefined }, call);
const changePassword = (deps: PeopleDeps, sessionId = 'ses_own') =>
  peopleHandlers(deps).setPassword(
    {
      personId: PERSON,
      sessionId,
      password: 'a new and long one',
      currentPassword: 'the old one',
      visitor: undefined,
    },
    call,
  );

it('a sign-in with the password of before leaves no session once the password is changed, in any order of the two', async () => {
  const outcomes = new Set<string>();
  for (let begun = 0; begun < 6; begun += 1) {
    for (let changed = 1; changed < 6; changed += 1) {
      const { sessions, depsOf } = world();
      let outcome = '';
      const one = (at: AtCall) => codeOf(signIn(depsOf(at))).then((code) => (outcome = code));
      const other = (at: AtCall) => changePassword(depsOf(at));
      await interleave([one, other], (n) => (n < begun ? 0 : n < begun + changed ? 1 : 0));
      outcomes.add(outcome);
      expect({ begun, changed, open: [...sessions.keys()] }).toEqual({ begun, changed, open: ['ses_own'] });
    }
  }
  expect([...outcomes].toSorted()).toEqual(['OK', 'SIGN_IN_REFUSED']);
});

it('a sign-in with a password leaves no session behind the first sign-in at a provider, in any order of the two', async () => {
  for (let begun = 0; begun < 6; begun += 1) {
    for (let proven = 1; proven < 10; proven += 1) {
      const { sessions, depsOf } = world();
      const byPassword = (at: AtCall) => codeOf(signIn(depsOf(at)));
      const proves = (at: AtCall) => byProvider(depsOf(at, 'provider'));
      await interleave([byPassword, proves], (n) => (n < begun ? 0 : n < begun + proven ? 1 : 0));
      expect({ begun, proven, open: [...sessions.keys()] }).toEqual({ begun, proven, open: ['ses_provider'] });
    }
  }
});

/** Neither the address of the inviter nor any way in that they set up may outlast the first proof of the owner. */
describe('a way in that is set up beside the first sign-in at a provider is gone after it, in any order of the two:', () => {
  it.each([
    ['a first password', null],
    ['another password', OLD],
  ])('%s', async (_what, before) => {
    for (const order of ordersOfTwo(CALLS)) {
      const { sessions, state, depsOf } = world(before);
      const sets = (at: AtCall) => codeOf(changePassword(depsOf(at)));
      await interleave([sets, (at) => byProvider(depsOf(at, 'provider'))], order);
      expect([state.password, sessions.has('ses_own')]).toEqual([null, false]);
    }
  });

  it('a password, set in a session of the password before', async () => {
    for (const order of ordersOfTwo(2 * CALLS)) {
      const { sessions, state, depsOf } = world();
      const sets = async (at: AtCall) => {
        if ((await codeOf(signIn(depsOf(at)))) === 'OK') await codeOf(changePassword(depsOf(at), 'ses_sign_in'));
      };
      await interleave([sets, (at) => byProvider(depsOf(at, 'provider'))], order);
      expect([state.password, sessions.has('ses_sign_in')]).toEqual([null, false]);
    }
  });

  it('a passkey', async () => {
    const device = createAuthenticator(ORIGIN);
    const challenge = Buffer.alloc(32).toString('base64url');
    const made = JSON.stringify(device.create({ challenge, rp: { id: 'localhost' } }));
    const outcomes = new Set<string>();
    for (const order of ordersOfTwo(CALLS)) {
      const { depsOf } = world();
      const request = { personId: PERSON, sessionId: 'ses_own', name: 'Phone', responseJson: made, origin: ORIGIN };
      const adds = (at: AtCall) =>
        codeOf(passkeyHandlers(depsOf(at)).addPasskey(request, call)).then((code) => outcomes.add(code));
      await interleave([adds, (at) => byProvider(depsOf(at, 'provider'))], order);
      const responseJson = JSON.stringify(device.use({ challenge, rpId: 'localhost' }));
      const used = passkeySignInHandlers(depsOf((_name, ask) => ask())).signInWithPasskey(
        { responseJson, origin: ORIGIN, visitor: undefined },
        call,
      );
      expect(await codeOf(used)).toBe('SIGN_IN_REFUSED');
    }
    expect([...outcomes].toSorted()).toEqual(['OK', 'SIGN_IN_REQUIRED']);
  });
});
