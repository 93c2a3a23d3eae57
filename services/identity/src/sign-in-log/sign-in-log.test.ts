import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { codeOf, type Identity, openIdentity, visitor } from '../../../../test/support/identity.ts';
import { eventually } from '../../../../test/engines/eventually.ts';

let identity: Identity;
beforeAll(async () => {
  identity = await openIdentity();
});
beforeEach(() => identity.begin());
afterAll(() => identity.close());

const told = async () => {
  const found = await identity.collections.auditEntries.find(identity.within()).sort({ action: 1 }).lean();
  return found.map(({ action, actor, target, outcome }) => [action, actor.id, actor.address, target.id, outcome]);
};

describe('the activity log of people', () => {
  it('tells of an invitation that was accepted, and of the sign-in with it', async () => {
    const { person } = await identity.joined('olga');
    const id = person?.id;
    expect(await told()).toEqual(
      expect.arrayContaining([
        ['member.joined', id, visitor.address, id, 'done'],
        ['person.signed_in', id, visitor.address, id, 'done'],
      ]),
    );
  });

  it('tells of sign-ins and of wrong passwords, in every workspace of the person, and of nobody else', async () => {
    const { person } = await identity.withPassword('olga');
    await identity.collections.auditEntries.deleteMany({});
    await identity.withPasswordOf('olga');
    expect(await codeOf(identity.withPasswordOf('olga', 'wrong'))).toBe('SIGN_IN_REFUSED');
    expect(await codeOf(identity.withPasswordOf('nobody', 'wrong'))).toBe('SIGN_IN_REFUSED');
    const id = person?.id;
    await eventually(async () =>
      expect(await told()).toEqual([
        ['person.sign_in_failed', id, visitor.address, id, 'failed'],
        ['person.signed_in', id, visitor.address, id, 'done'],
      ]),
    );
  });

  it('tells of changes of members under the name of the person who made them', async () => {
    const { person } = await identity.joined('olga');
    await identity.collections.auditEntries.deleteMany({});
    const actorId = person?.id ?? '';
    const call = {
      ...identity.within(),
      actor: { kind: 'person', id: actorId, name: 'Olga', address: '192.0.2.1' },
    } as const;
    const { invitation } = await identity.inviteMember({ actorId, email: 'new@acme.example', role: 'member' }, call);
    await identity.revokeInvitation({ actorId, invitationId: invitation?.id ?? '' }, call);
    await identity.renamePerson({ personId: actorId, name: 'Olga O.' }, call);
    expect(await codeOf(identity.removeMember({ actorId, personId: actorId }, call))).toBe('LAST_OWNER');
    expect((await told()).map(([action, , , target]) => [action, target])).toEqual([
      ['invitation.revoked', invitation?.id],
      ['member.invited', invitation?.id],
      ['person.renamed', actorId],
    ]);
  });
});
