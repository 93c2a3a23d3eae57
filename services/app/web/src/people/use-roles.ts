import { useState } from 'react';
import type { MemberAnswer } from '@postroom/app/answers';
import type { Role } from '@postroom/contract/roles';
import { call } from '../api/call.ts';
import { usePresent } from '../api/session.ts';
import { useChange } from '../api/use-answer.ts';
import { defer, useDeferred } from '../parts/deferred.ts';
import { offerReversal } from '../parts/reversible.ts';
import { ROLE_NAMES } from './role-names.ts';

const ownChange = (personId: string): string => `role of ${personId}`;

/**
 * Changes of roles, which can be undone. Those of others are made at once, because a right that is taken away must end.
 * A person who lowers their own role could not raise it again, so that change waits.
 */
export function useRoles(path: string) {
  const { person } = usePresent();
  const deferred = useDeferred();
  const [chosen, setChosen] = useState<Role>();
  const changing = useChange(
    ({ personId, role }: { personId: string; role: Role }) => call('PATCH', `${path}/${personId}`, { body: { role } }),
    [path, '/session'],
  );

  const changeRole = ({ personId, role: before, name, email }: MemberAnswer, role: Role): void => {
    if (personId === person.id) {
      setChosen(role);
      const run = () => changing.mutateAsync({ personId, role });
      return defer(ownChange(personId), { message: `Your role becomes ${ROLE_NAMES[role]}`, run });
    }
    const undo = () => changing.mutateAsync({ personId, role: before });
    const message = `${name || email} has the role ${ROLE_NAMES[role]}`;
    changing.mutate({ personId, role }, { onSuccess: () => offerReversal(message, undo) });
  };

  /** As it will be, where the change waits. */
  const roleOf = ({ personId, role }: MemberAnswer): Role =>
    deferred.has(ownChange(personId)) ? (chosen ?? role) : role;

  return { changeRole, roleOf, error: changing.error };
}
