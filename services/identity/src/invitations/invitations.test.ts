import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { codeOf, HOUR, visitor, type Identity, openIdentity } from '../../../../test/support/identity.ts';
import { linkHandlers } from './invitations.ts';

let identity: Identity;
beforeAll(async () => {
  identity = await openIdentity();
});
beforeEach(() => identity.begin());
afterAll(() => identity.close());

describe('an invitation', () => {
  it('makes an account, signs it in and makes it a member', async () => {
    const { token, person } = await identity.joined('olga');
    const memberships = [{ ...identity.within(), workspaceName: 'Acme', role: 'owner' }];
    expect(person).toMatchObject({ email: identity.emailOf('olga'), hasPassword: false, memberships });
    const resolved = await identity.resolveSession({ token }, {});
    expect(resolved.person).toMatchObject({ id: person?.id, memberships });
  });

  it('410 LINK_NOT_VALID when it is used twice, and leaves one session', async () => {
    const { token } = await identity.operators.invitePerson(
      { ...identity.within(), email: identity.emailOf('olga'), role: 'owner' },
      {},
    );
    const codes = await Promise.all([1, 2, 3].map(() => codeOf(identity.acceptLink({ token, visitor }, {}))));
    expect(codes.toSorted()).toEqual(['LINK_NOT_VALID', 'LINK_NOT_VALID', 'OK']);
    const [person] = (await identity.listMembers({}, identity.within())).items;
    expect((await identity.listSessions({ personId: person!.personId }, {})).items).toHaveLength(1);
  });

  it('410 LINK_NOT_VALID when it is older than seven days or revoked', async () => {
    const owner = await identity.joined('olga');
    const invite = () =>
      identity.inviteMember(
        { actorId: owner.person!.id, email: identity.emailOf('mia'), role: 'member' },
        identity.within(),
      );
    const [late, revoked] = [await invite(), await invite()];
    const { id: invitationId } = revoked.invitation!;
    await identity.revokeInvitation({ actorId: owner.person!.id, invitationId }, identity.within());
    await expect(identity.acceptLink({ token: revoked.token, visitor }, {})).rejects.toMatchObject({
      code: 'LINK_NOT_VALID',
    });
    const third = await invite();
    identity.clock.set(identity.clock.now() + 7 * 24 * HOUR);
    for (const { token } of [late, third])
      await expect(identity.acceptLink({ token, visitor }, {})).rejects.toMatchObject({ code: 'LINK_NOT_VALID' });
  });

  it('409 SIGN_IN_FIRST for the address of an account, which the inviter must not get into', async () => {
    const { person } = await identity.withPassword('victim');
    const home = identity.within().workspaceId;
    const workspaceId = await identity.newWorkspace();
    const attacker = await identity.joined('attacker');
    const { token } = await identity.inviteMember(
      { actorId: attacker.person!.id, email: identity.emailOf('victim').toUpperCase(), role: 'member' },
      identity.within(),
    );
    await expect(identity.acceptLink({ token, visitor }, {})).rejects.toMatchObject({ code: 'SIGN_IN_FIRST' });
    await expect(identity.acceptInvitation({ token, personId: attacker.person!.id }, {})).rejects.toMatchObject({
      code: 'LINK_NOT_VALID',
    });
    const accepted = await identity.acceptInvitation({ token, personId: person!.id }, {});
    expect(accepted.memberships.map((one) => one.workspaceId).toSorted()).toEqual([home, workspaceId].toSorted());
  });

  it('reads the same for the address of an account and for any other, and looks for no account', async () => {
    await identity.withPassword('victim');
    await identity.newWorkspace();
    const invited = ['victim', 'nobody'].map((name) =>
      identity.operators.invitePerson({ ...identity.within(), email: identity.emailOf(name), role: 'member' }, {}),
    );
    const read = async ({ token }: { token: string }) => identity.readLink({ token, visitor }, {});
    const [known, unknown] = [await read(await invited[0]!), await read(await invited[1]!)];
    expect({ ...known, email: unknown.email }).toEqual(unknown);
    const invitation = { email: 'a@b.example', workspaceId: 'wsp_1', role: 'member', expiresAt: new Date(9e12) };
    const handlers = linkHandlers({
      context: { clock: identity.clock },
      limits: { begin: async () => ({ succeeded: async () => undefined }) },
      links: { findInvitation: async () => invitation },
      personal: { everyWorkspace: async () => [{ name: 'Acme' }] },
    } as unknown as Parameters<typeof linkHandlers>[0]);
    const call = {} as Parameters<typeof handlers.readLink>[1];
    expect(await handlers.readLink({ token: 'one', visitor }, call)).toMatchObject({ workspaceName: 'Acme' });
  });

  it('goes on where a crash interrupted it, with the same account', async () => {
    const { token, invitation } = await identity.operators.invitePerson(
      { ...identity.within(), email: identity.emailOf('olga'), role: 'owner' },
      {},
    );
    const half = {
      _id: 'per_half',
      email: identity.emailOf('olga'),
      emailKey: identity.emailOf('olga'),
      name: '',
      password: null,
    };
    await identity.collections.people.create({
      ...half,
      invitationId: invitation!.id,
      createdAt: identity.clock.date(),
    });
    expect((await identity.acceptLink({ token, visitor }, {})).person?.id).toBe('per_half');
  });

  it('is void after its inviter was removed', async () => {
    const [owner, admin] = [await identity.joined('olga'), await identity.joined('adam', 'admin')];
    const { token } = await identity.inviteMember(
      { actorId: admin.person!.id, email: identity.emailOf('friend'), role: 'admin' },
      identity.within(),
    );
    await identity.removeMember({ actorId: owner.person!.id, personId: admin.person!.id }, identity.within());
    await expect(identity.acceptLink({ token, visitor }, {})).rejects.toMatchObject({ code: 'LINK_NOT_VALID' });
  });

  it.each([
    ['admin', 'owner'],
    ['member', 'member'],
  ])('403 ROLE_NOT_ALLOWED when an %s invites an %s', async (role, wanted) => {
    const { person } = await identity.joined('one', role);
    const invitation = { actorId: person!.id, email: identity.emailOf('two'), role: wanted };
    await expect(identity.inviteMember(invitation, identity.within())).rejects.toMatchObject({
      code: 'ROLE_NOT_ALLOWED',
    });
  });

  it('400 VALIDATION_FAILED for what is no address and no role', async () => {
    const { person } = await identity.joined('olga');
    const invitation = { actorId: person!.id, email: 'two addresses', role: 'king' };
    await expect(identity.inviteMember(invitation, identity.within())).rejects.toMatchObject({
      code: 'VALIDATION_FAILED',
      details: { email: expect.any(Array), role: expect.any(Array) },
    });
  });
});

describe('a sign-in link', () => {
  it('signs in once, within ten minutes', async () => {
    const { person } = await identity.joined('olga');
    const { token } = await identity.operators.createSignInLink({ email: identity.emailOf('olga') }, {});
    expect(await identity.readLink({ token, visitor }, {})).toMatchObject({
      kind: 'sign_in',
      email: identity.emailOf('olga'),
    });
    expect((await identity.acceptLink({ token, visitor }, {})).person?.id).toBe(person?.id);
    await expect(identity.acceptLink({ token, visitor }, {})).rejects.toMatchObject({ code: 'LINK_NOT_VALID' });
    const late = await identity.operators.createSignInLink({ email: identity.emailOf('olga') }, {});
    identity.clock.set(identity.clock.now() + 10 * 60_000);
    await expect(identity.acceptLink({ token: late.token, visitor }, {})).rejects.toMatchObject({
      code: 'LINK_NOT_VALID',
    });
  });
});

describe('guesses of links', () => {
  it('429 RATE_LIMIT_EXCEEDED within 120 from one address, and a right link opens from another', async () => {
    const { token } = await identity.operators.invitePerson(
      { ...identity.within(), email: identity.emailOf('olga'), role: 'owner' },
      {},
    );
    const codes: string[] = [];
    for (let n = 0; n < 60; n += 1) {
      codes.push(await codeOf(identity.readLink({ token: `invitation_${n}`, visitor }, {})));
      codes.push(await codeOf(identity.acceptLink({ token: `link_${n}`, visitor }, {})));
    }
    expect(codes.filter((code) => code === 'LINK_NOT_VALID').length).toBeLessThan(120);
    expect(codes.at(-1)).toBe('RATE_LIMIT_EXCEEDED');
    expect(await codeOf(identity.acceptLink({ token, visitor }, {}))).toBe('RATE_LIMIT_EXCEEDED');
    const elsewhere = { ...visitor, address: '192.0.2.1' };
    expect(await codeOf(identity.acceptLink({ token, visitor: elsewhere }, {}))).toBe('OK');
  });
});
