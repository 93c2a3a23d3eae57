import { Button } from '@mantine/core';
import type { ListOf, MemberAnswer } from '@postroom/app/answers';
import { isAtLeast } from '@postroom/contract/roles';
import { call } from '../api/call.ts';
import { forgetAnswers, useIsAdmin, usePresent, useWorkspacePath } from '../api/session.ts';
import { useAnswer } from '../api/use-answer.ts';
import { Answer } from '../parts/answer.tsx';
import { Badge } from '../parts/badge.tsx';
import { CopyText } from '../parts/copy-text.tsx';
import { DataTable, type Column } from '../parts/data-table.tsx';
import { defer, useDeferred } from '../parts/deferred.ts';
import { FaultNote } from '../parts/fault-note.tsx';
import { Section } from '../parts/page.tsx';
import { removeLater } from '../parts/remove-later.ts';
import { SelectField } from '../parts/select-field.tsx';
import { Moment } from '../time/moment.tsx';
import { useUrlState } from '../url/url-state.ts';
import { InviteDialog } from './invite-dialog.tsx';
import { ROLE_NAMES, rolesUpTo } from './role-names.ts';
import { useRoles } from './use-roles.ts';

export function Members() {
  const inWorkspace = useWorkspacePath();
  const path = inWorkspace('/members');
  const isAdmin = useIsAdmin();
  const answer = useAnswer<ListOf<MemberAnswer>>(path);
  const [{ dialog }, change] = useUrlState(['dialog']);
  const deferred = useDeferred();
  const roles = useRoles(path);
  return (
    <Section
      title="Members"
      actions={
        isAdmin && (
          <Button data-primary onClick={() => change({ dialog: 'invite' })}>
            Invite
          </Button>
        )
      }
    >
      <FaultNote error={roles.error} />
      <Answer of={answer}>
        {({ items }) => (
          <MemberTable members={items.filter(({ personId }) => !deferred.has(personId))} path={path} roles={roles} />
        )}
      </Answer>
      {isAdmin && dialog === 'invite' && (
        <InviteDialog path={inWorkspace('/invitations')} close={() => change({ dialog: null })} />
      )}
    </Section>
  );
}

interface TableProps {
  members: readonly MemberAnswer[];
  path: string;
  roles: Pick<ReturnType<typeof useRoles>, 'changeRole' | 'roleOf'>;
}

function MemberTable({ members, path, roles }: TableProps) {
  const { person, workspace } = usePresent();
  const isAdmin = useIsAdmin();
  const leave = () =>
    defer(person.id, {
      message: `You leave ${workspace.name}`,
      run: (isLast) => call('DELETE', `${path}/${person.id}`, { keepalive: isLast }).then(forgetAnswers),
    });
  const columns: Column<MemberAnswer>[] = [
    { name: 'Name', cell: (member) => <Who member={member} isOwn={member.personId === person.id} /> },
    {
      name: 'Role',
      cell: (member) =>
        isAdmin && isAtLeast(workspace.role, member.role) ? (
          <SelectField
            label="Role"
            isLabelHidden
            value={roles.roleOf(member)}
            options={rolesUpTo(workspace.role)}
            change={(chosen) => roles.changeRole(member, chosen)}
          />
        ) : (
          ROLE_NAMES[member.role]
        ),
    },
    { name: 'Id', isTight: true, cell: ({ personId }) => <CopyText text={personId} isRowId /> },
    { name: 'Joined', isTight: true, cell: ({ joinedAt }) => <Moment at={joinedAt} /> },
    {
      name: 'Actions',
      isNameless: true,
      isAtEnd: true,
      cell: ({ personId, role, name, email }) => {
        if (personId === person.id) {
          return (
            <Button variant="default" data-row-key="#" onClick={leave}>
              Leave
            </Button>
          );
        }
        if (!isAdmin || !isAtLeast(workspace.role, role)) return null;
        return (
          <Button
            variant="default"
            data-row-key="#"
            onClick={() => removeLater(path, personId, `${name || email} removed`)}
          >
            Remove
          </Button>
        );
      },
    },
  ];
  return <DataTable label="Members" columns={columns} items={members} keyOf={({ personId }) => personId} />;
}

function Who({ member: { name, email }, isOwn }: { member: MemberAnswer; isOwn: boolean }) {
  return (
    <span className="two">
      <span className="row">
        <strong>{name || email}</strong>
        {isOwn && <Badge tone="accent">You</Badge>}
      </span>
      {name && (
        <span className="soft">
          <CopyText text={email} />
        </span>
      )}
    </span>
  );
}
