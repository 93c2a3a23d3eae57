import { expect, it } from '@jest/globals';
import type { SessionDocument } from '@postroom/mail-store/documents/identity';
import { codeOf } from '../../../../test/support/identity.ts';
import { interleave, watched, type AtCall } from '../../../../test/support/interleavings.ts';
import type { MemberDeps } from '../members/members.ts';
import { type OidcDeps, oidcHandlers, type RelyingParty } from '../oidc/oidc.ts';
import { type PeopleDeps, peopleHandlers } from '../people/people.ts';
import { signInHandlers } from '../sign-in/sign-in.ts';

const PERSON = 'per_olga';

type Deps = PeopleDeps & OidcDeps & Pick<MemberDeps, 'members'>;

const oidcStore = {
  takeSignIn: async () => ({}),
  findAccount: async () => ({ _id: 'account', personId: PERSON, othersEnded: false }),
  noteOthersEnded: async () => undefined,
};
const provider = { finish: async () => ({ issuer: 'issuer', subject: 'olga' }) } as unknown as RelyingParty;

/** A person with one session and an old password, and the two handlers that meet, each with stores that wait. */
function world() {
  const sessions = new Map<string, SessionDocument>([['ses_own', { publicId: 'ses_own' } as SessionDocument]]);
  const state: { password: string | null } = { password: 'the old one' };
  const person = () => ({
    _id: PERSON,
    email: '',
    emailKey: '',
    name: '',
    password: state.password === null ? null : { hash: state.password },
    createdAt: new Date(0),
  });
  const stores = {
    people: {
      byEmail: async () => person(),
      find: async () => person(),
      replacePassword: async (known: { password: { hash: string } }, { hash }: { hash: string }) => {
        if (known.password.hash !== state.password) return false;
        state.password = hash;
        return true;
      },
      removePassword: async () => void (state.password = null),
    },
    sessions: {
      insert: async (session: SessionDocument) => void sessions.set(session.publicId, session),
      end: async (_personId: string, publicId: string) => void sessions.delete(publicId),
      isOpen: async (_personId: string, publicId: string) => sessions.has(publicId),
      endOthers: async (_personId: string, kept: string) => {
        for (const publicId of sessions.keys()) if (publicId !== kept) sessions.delete(publicId);
      },
    },
  };
  const depsOf = (at: AtCall, name = 'sign_in') =>
    ({
      people: watched(stores.people, at),
      sessions: watched(stores.sessions, at),
      passkeys: watched({ removeAll: async () => undefined }, at),
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
  return { sessions, depsOf };
}

const call = {} as never;
const signIn = (deps: Deps) =>
  signInHandlers(deps).signIn({ email: 'olga@acme.example', password: 'the old one', visitor: undefined }, call);
const changePassword = (deps: PeopleDeps) =>
  peopleHandlers(deps).setPassword(
    {
      personId: PERSON,
      sessionId: 'ses_own',
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
      const byProvider = (at: AtCall) =>
        oidcHandlers(provider, depsOf(at, 'provider')).signInWithOidc(
          { token: '', query: '', visitor: undefined },
          call,
        );
      await interleave([byPassword, byProvider], (n) => (n < begun ? 0 : n < begun + proven ? 1 : 0));
      expect({ begun, proven, open: [...sessions.keys()] }).toEqual({ begun, proven, open: ['ses_provider'] });
    }
  }
});
