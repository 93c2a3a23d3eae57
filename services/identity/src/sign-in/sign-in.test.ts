import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { codeOf, HOUR, PASSWORD, visitor, type Identity, openIdentity } from '../../../../test/support/identity.ts';

let identity: Identity;
beforeAll(async () => {
  identity = await openIdentity();
});
beforeEach(() => identity.begin());
afterAll(() => identity.close());

describe('a password', () => {
  it('signs in, in whatever case the address is written', async () => {
    const { person } = await identity.withPassword('olga');
    const signedIn = await identity.signIn(
      { email: ` ${identity.emailOf('olga').toUpperCase()}`, password: PASSWORD, visitor },
      {},
    );
    expect(signedIn.person?.id).toBe(person?.id);
  });

  it('401 SIGN_IN_REFUSED, in the same words for a wrong password and an unknown address', async () => {
    await identity.withPassword('olga');
    const errors = await Promise.all(
      [identity.withPasswordOf('olga', 'something else'), identity.withPasswordOf('nobody')].map((one) =>
        one.catch((error: unknown) => error),
      ),
    );
    const [wrong, unknown] = errors.map((error) => ({ ...(error as Error), message: (error as Error).message }));
    expect(wrong).toMatchObject({ code: 'SIGN_IN_REFUSED' });
    expect(unknown).toEqual(wrong);
  });

  it('429 RATE_LIMIT_EXCEEDED within 30 wrong guesses of one account from many addresses, and not for others', async () => {
    await identity.withPassword('olga');
    await identity.withPassword('other');
    const codes: unknown[] = [];
    for (let n = 0; n < 30 && codes.at(-1) !== 'RATE_LIMIT_EXCEEDED'; n += 1)
      codes.push(
        await identity.withPasswordOf('olga', 'wrong', `198.51.100.${n}`).catch(({ code }) => code as unknown),
      );
    expect(codes.at(-1)).toBe('RATE_LIMIT_EXCEEDED');
    await expect(identity.withPasswordOf('olga', PASSWORD, '192.0.2.1')).rejects.toMatchObject({
      code: 'RATE_LIMIT_EXCEEDED',
    });
    expect((await identity.withPasswordOf('other')).token).toBeTruthy();
    identity.clock.set(identity.clock.now() + HOUR);
    expect((await identity.withPasswordOf('olga')).token).toBeTruthy();
  });

  it('opens from an address that has opened it before, while strangers guess', async () => {
    await identity.withPassword('olga');
    await identity.withPasswordOf('olga');
    const codes: string[] = [];
    for (let n = 0; n < 20; n += 1)
      codes.push(await codeOf(identity.withPasswordOf('olga', 'wrong', `198.51.100.${n}`)));
    expect(codes.at(-1)).toBe('RATE_LIMIT_EXCEEDED');
    expect((await identity.withPasswordOf('olga')).token).toBeTruthy();
  });

  it('429 RATE_LIMIT_EXCEEDED while strangers guess, from an address that opened it 90 days ago', async () => {
    await identity.withPassword('olga');
    await identity.withPasswordOf('olga');
    identity.clock.set(identity.clock.now() + 90 * 24 * HOUR);
    const guess = (n: number) => codeOf(identity.withPasswordOf('olga', 'wrong', `198.51.100.${n}`));
    await Promise.all(Array.from({ length: 15 }, (_, n) => guess(n)));
    expect(await codeOf(identity.withPasswordOf('olga'))).toBe('RATE_LIMIT_EXCEEDED');
  });

  it('counts no success', async () => {
    await identity.withPassword('olga');
    for (let n = 0; n < 16; n += 1) expect((await identity.withPasswordOf('olga')).token).toBeTruthy();
  });

  it('ends the other sessions of the person when it is changed, and needs the current one', async () => {
    const first = await identity.withPassword('olga');
    const second = await identity.withPasswordOf('olga');
    const change = (currentPassword?: string) =>
      identity.setPassword(
        {
          personId: first.person!.id,
          sessionId: first.session!.id,
          password: 'another long one',
          currentPassword,
          visitor,
        },
        {},
      );
    await expect(change()).rejects.toMatchObject({ code: 'SIGN_IN_REFUSED' });
    await expect(change('wrong')).rejects.toMatchObject({ code: 'SIGN_IN_REFUSED' });
    await change(PASSWORD);
    expect((await identity.resolveSession({ token: second.token }, {})).session).toBeUndefined();
    expect((await identity.resolveSession({ token: first.token }, {})).session).toBeDefined();
  });

  it('is changed once by two changes at the same time that know the same current one', async () => {
    const { person, session } = await identity.withPassword('olga');
    const ids = { personId: person!.id, sessionId: session!.id };
    const passwords = ['the first new one', 'the second new one'];
    const codes = await Promise.all(
      passwords.map((password) =>
        codeOf(identity.setPassword({ ...ids, password, currentPassword: PASSWORD, visitor }, {})),
      ),
    );
    expect(codes.filter((code) => code === 'OK')).toHaveLength(1);
    const changed = passwords[codes.indexOf('OK')];
    expect((await identity.withPasswordOf('olga', changed)).token).toBeTruthy();
  });

  it('400 VALIDATION_FAILED when it is shorter than ten characters', async () => {
    const { person, session } = await identity.joined('olga');
    const request = { personId: person!.id, sessionId: session!.id, password: 'too short', visitor };
    await expect(identity.setPassword(request, {})).rejects.toMatchObject({ details: { password: expect.any(Array) } });
  });
});

describe('a session', () => {
  it('ends twelve hours after its last use', async () => {
    const { token } = await identity.joined('olga');
    for (let hours = 0; hours < 24; hours += 8) {
      identity.clock.set(identity.clock.now() + 8 * HOUR);
      expect((await identity.resolveSession({ token }, {})).session).toBeDefined();
    }
    identity.clock.set(identity.clock.now() + 12 * HOUR);
    expect(await identity.resolveSession({ token }, {})).toEqual({ session: undefined, person: undefined });
  });

  it('ends seven days after the sign-in, however often it is used', async () => {
    const { token } = await identity.joined('olga');
    for (let hours = 0; hours < 7 * 24 - 8; hours += 8) {
      identity.clock.set(identity.clock.now() + 8 * HOUR);
      await identity.resolveSession({ token }, {});
    }
    identity.clock.set(identity.clock.now() + 8 * HOUR);
    expect((await identity.resolveSession({ token }, {})).session).toBeUndefined();
  });

  it('is ended by its person, and by nobody else', async () => {
    const [olga, adam] = [await identity.joined('olga'), await identity.joined('adam')];
    await identity.endSession({ personId: adam.person!.id, sessionId: olga.session!.id }, {});
    expect((await identity.resolveSession({ token: olga.token }, {})).session).toBeDefined();
    await identity.endSession({ personId: olga.person!.id, sessionId: olga.session!.id }, {});
    expect((await identity.resolveSession({ token: olga.token }, {})).session).toBeUndefined();
  });

  it('admits its person with the role in that one workspace, until the role, the membership or the session ends', async () => {
    const [olga, adam] = [await identity.joined('olga'), await identity.joined('adam', 'member')];
    const [ids, others] = [olga, adam].map((one) => ({ personId: one.person!.id, sessionId: one.session!.id }));
    const workspaceId = adam.person!.memberships[0]!.workspaceId;
    const admit = (more = {}) => identity.admitPerson({ token: adam.token, workspaceId, withName: false, ...more }, {});
    expect(await admit()).toEqual({ ...others, role: 'member' });
    expect(await admit({ withName: true })).toMatchObject({ name: adam.person!.email });
    expect(await admit({ workspaceId: 'wsp_of_others' })).toEqual(others);
    expect(await admit({ token: 'of nobody' })).toEqual({});
    await identity.collections.workspaceMembers.updateOne(
      { _id: workspaceId },
      { $set: { 'members.$[].role': 'owner' } },
    );
    expect(await admit()).toMatchObject({ role: 'owner' });
    await identity.removeMember({ actorId: others!.personId, personId: others!.personId }, { workspaceId });
    expect(await admit()).toEqual(others);
    await identity.endSession(others!, {});
    expect(await admit()).toEqual({});
    expect(await identity.admitPerson({ token: olga.token, withName: false }, {})).toEqual(ids);
  });

  it('is stored without anything that would open it', async () => {
    const { token } = await identity.withPassword('olga');
    const stored = JSON.stringify([
      await identity.collections.sessions.find({}).lean(),
      await identity.collections.people.find({}).lean(),
      await identity.collections.signInAttempts.find({}).lean(),
    ]);
    expect(stored).not.toContain(token);
    expect(stored).not.toContain(PASSWORD);
  });
});
