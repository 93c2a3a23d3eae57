import { isAtLeast, ROLES, type Role } from '@postroom/contract/roles';

export const ROLE_NAMES: Readonly<Record<Role, string>> = { owner: 'Owner', admin: 'Admin', member: 'Member' };

/** Nobody gives a role above their own. */
export const rolesUpTo = (own: Role) =>
  ROLES.filter((role) => isAtLeast(own, role)).map((role) => ({ value: role, label: ROLE_NAMES[role] }));
