import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { codeOf, type Identity, openIdentity } from '../../../../test/support/identity.ts';

let identity: Identity;
beforeAll(async () => {
  identity = await openIdentity();
});
beforeEach(() => identity.begin());
afterAll(() => identity.close());

describe('members', () => {
  it('are listed with their roles, and change them', async () => {
    const [olga, mia] = [await identity.joined('olga'), await identity.joined('mia', 'member')];
    await identity.changeRole({ actorId: olga.person!.id, personId: mia.person!.id, role: 'admin' }, identity.within());
    const { items } = await identity.listMembers({}, identity.within());
    expect(items.map(({ email, role }) => [email, role])).toEqual([
      [identity.emailOf('olga'), 'owner'],
      [identity.emailOf('mia'), 'admin'],
    ]);
  });

  it('keep an owner when two of them leave at once', async () => {
    const owners = [await identity.joined('one'), await identity.joined('two')].map(({ person }) => person!.id);
    const leave = (personId: string) => identity.removeMember({ actorId: personId, personId }, identity.within());
    const codes = await Promise.all(owners.map((personId) => codeOf(leave(personId))));
    expect(codes.toSorted()).toEqual(['LAST_OWNER', 'OK']);
    expect((await identity.listMembers({}, identity.within())).items).toHaveLength(1);
  });

  it('of another workspace are nobody here', async () => {
    const { person } = await identity.joined('olga');
    await identity.newWorkspace();
    const request = { actorId: person!.id, personId: person!.id, role: 'member' };
    await expect(identity.changeRole(request, identity.within())).rejects.toMatchObject({ code: 'PERSON_NOT_FOUND' });
    expect((await identity.listMembers({}, identity.within())).items).toEqual([]);
  });
});
