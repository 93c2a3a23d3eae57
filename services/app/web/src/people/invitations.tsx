import { Button } from '@mantine/core';
import type { InvitationAnswer, ListOf } from '@postroom/app/answers';
import { useWorkspacePath } from '../api/session.ts';
import { useAnswer } from '../api/use-answer.ts';
import { Answer } from '../parts/answer.tsx';
import { CopyText } from '../parts/copy-text.tsx';
import { DataTable, type Column } from '../parts/data-table.tsx';
import { useDeferred } from '../parts/deferred.ts';
import { Section } from '../parts/page.tsx';
import { removeLater } from '../parts/remove-later.ts';
import { Moment } from '../time/moment.tsx';
import { ROLE_NAMES } from './role-names.ts';

/** Open ones alone; a workspace without any has no such section. */
export function Invitations() {
  const path = useWorkspacePath()('/invitations');
  const answer = useAnswer<ListOf<InvitationAnswer>>(path);
  const deferred = useDeferred();
  const items = (answer.data?.items ?? []).filter(({ id }) => !deferred.has(id));
  if (answer.data && items.length === 0) return null;
  const columns: Column<InvitationAnswer>[] = [
    { name: 'Email', cell: ({ email }) => <strong>{email}</strong> },
    { name: 'Role', cell: ({ role }) => ROLE_NAMES[role] },
    { name: 'Id', isTight: true, cell: ({ id }) => <CopyText text={id} isRowId /> },
    { name: 'Invited', isTight: true, cell: ({ createdAt }) => <Moment at={createdAt} /> },
    { name: 'Ends', isTight: true, cell: ({ expiresAt }) => <Moment at={expiresAt} /> },
    {
      name: 'Actions',
      isNameless: true,
      isAtEnd: true,
      cell: ({ id, email }) => (
        <Button
          variant="default"
          data-row-key="#"
          onClick={() => removeLater(path, id, `Invitation of ${email} revoked`)}
        >
          Revoke
        </Button>
      ),
    },
  ];
  return (
    <Section title="Invitations">
      <Answer of={answer} rows={2}>
        {() => <DataTable label="Invitations" columns={columns} items={items} keyOf={({ id }) => id} />}
      </Answer>
    </Section>
  );
}
