import { describe, expect, it } from '@jest/globals';
import { ROLES, type Role } from '@postroom/contract/roles';
import fc from 'fast-check';
import { MOST_WORKSPACE_MEMBERS, roleOf, withMember, withoutMember, withRole } from './membership.ts';

const joinedAt = new Date(0);
const member = (personId: string, role: Role) => ({ personId, role, joinedAt });
const members = [member('olga', 'owner'), member('adam', 'admin'), member('mia', 'member')];

describe('roles', () => {
  it.each([
    ['olga', 'mia', 'owner'],
    ['olga', 'adam', 'member'],
    ['adam', 'mia', 'admin'],
    ['adam', 'adam', 'member'],
  ] as const)('%s may make %s an %s', (actor, person, role) => {
    expect(roleOf(withRole(members, actor, person, role), person)).toBe(role);
  });

  it.each([
    ['adam', 'mia', 'owner'],
    ['adam', 'adam', 'owner'],
    ['adam', 'olga', 'member'],
    ['mia', 'mia', 'admin'],
    ['mia', 'mia', 'member'],
    ['stranger', 'mia', 'member'],
  ] as const)('403 ROLE_NOT_ALLOWED when %s makes %s an %s', (actor, person, role) => {
    expect(() => withRole(members, actor, person, role)).toThrow(expect.objectContaining({ code: 'ROLE_NOT_ALLOWED' }));
  });

  it('409 LAST_OWNER when the last owner leaves or becomes an admin', () => {
    const refused = expect.objectContaining({ code: 'LAST_OWNER' });
    expect(() => withoutMember(members, 'olga', 'olga')).toThrow(refused);
    expect(() => withRole(members, 'olga', 'olga', 'admin')).toThrow(refused);
  });

  it('lets a member leave, and remove nobody', () => {
    expect(roleOf(withoutMember(members, 'mia', 'mia'), 'mia')).toBeUndefined();
    expect(() => withoutMember(members, 'mia', 'adam')).toThrow(expect.objectContaining({ code: 'ROLE_NOT_ALLOWED' }));
  });

  it('404 PERSON_NOT_FOUND for somebody who is no member', () => {
    const refused = expect.objectContaining({ code: 'PERSON_NOT_FOUND' });
    expect(() => withRole(members, 'olga', 'stranger', 'admin')).toThrow(refused);
    expect(() => withoutMember(members, 'olga', 'stranger')).toThrow(refused);
  });

  it('keeps the role of somebody who joins again', () => {
    expect(roleOf(withMember(members, member('olga', 'member')), 'olga')).toBe('owner');
  });

  it('409 CONFLICT for one member more than a workspace may have', () => {
    const full = Array.from({ length: MOST_WORKSPACE_MEMBERS }, (_, n) => member(`p${n}`, 'owner'));
    expect(() => withMember(full, member('late', 'member'))).toThrow(expect.objectContaining({ code: 'CONFLICT' }));
  });

  it('keeps an owner, and lets nobody act above their role, whatever is tried', () => {
    const person = fc.constantFrom('olga', 'adam', 'mia', 'stranger');
    const role = fc.constantFrom(...ROLES);
    const step = fc.oneof(fc.record({ actor: person, person, role }), fc.record({ actor: person, person }));
    fc.assert(
      fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
        let now: readonly (typeof members)[number][] = members;
        for (const one of steps) {
          const before = now;
          try {
            now =
              'role' in one
                ? withRole(now, one.actor, one.person, one.role)
                : withoutMember(now, one.actor, one.person);
          } catch {
            continue;
          }
          expect(now.some((member) => member.role === 'owner')).toBe(true);
          const gainedOwner = roleOf(now, one.person) === 'owner' && roleOf(before, one.person) !== 'owner';
          if (gainedOwner) expect(roleOf(before, one.actor)).toBe('owner');
        }
      }),
    );
  });
});
