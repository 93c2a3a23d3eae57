import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { interleave, watched, type AtCall } from '../../../../test/support/interleavings.ts';
import { codeOf, type Identity, openIdentity } from '../../../../test/support/identity.ts';
import { changeMembers } from './change-members.ts';
import { createMemberStore } from './member-store.ts';
import { withoutMember } from './membership.ts';

/** Each of the two reads, writes, and reads again where the other was faster. */
const CALLS = 5;
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

  it('keep an owner in every order of the calls of two owners who leave', async () => {
    const store = createMemberStore(identity.collections);
    const budget = { remainingMs: () => 10_000 };
    const owner = (personId: string) => ({ personId, role: 'owner' as const, joinedAt: new Date(0) });
    for (let schedule = 0; schedule < 2 ** CALLS; schedule += 1) {
      const workspaceId = `wsp_leave_${schedule}`;
      await store.replace(workspaceId, 0, [owner('one'), owner('two')], budget);
      const leave = (personId: string) => (at: AtCall) =>
        codeOf(
          changeMembers(workspaceId, (found) => withoutMember(found, personId, personId), watched(store, at), budget),
        ).then((code) => codes.push(code));
      const codes: string[] = [];
      await interleave([leave('one'), leave('two')], (call) => (schedule >> call) & 1);
      expect([schedule, codes.toSorted()]).toEqual([schedule, ['LAST_OWNER', 'OK']]);
      expect((await store.load(workspaceId, budget)).members).toHaveLength(1);
    }
  });

  it('of another workspace are nobody here', async () => {
    const { person } = await identity.joined('olga');
    await identity.newWorkspace();
    const request = { actorId: person!.id, personId: person!.id, role: 'member' };
    await expect(identity.changeRole(request, identity.within())).rejects.toMatchObject({ code: 'PERSON_NOT_FOUND' });
    expect((await identity.listMembers({}, identity.within())).items).toEqual([]);
  });
});
