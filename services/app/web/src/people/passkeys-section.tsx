import { Button } from '@mantine/core';
import type { ListOf, PasskeyAnswer } from '@postroom/app/answers';
import { useAnswer } from '../api/use-answer.ts';
import { Answer } from '../parts/answer.tsx';
import { DataTable, type Column } from '../parts/data-table.tsx';
import { useDeferred } from '../parts/deferred.ts';
import { Section } from '../parts/page.tsx';
import { removeLater } from '../parts/remove-later.ts';
import { AddPasskey } from '../sign-in/add-passkey.tsx';
import { Moment } from '../time/moment.tsx';

const PATH = '/account/passkeys';

const COLUMNS: readonly Column<PasskeyAnswer>[] = [
  { name: 'Name', cell: ({ name }) => <strong>{name}</strong> },
  { name: 'Added', isTight: true, cell: ({ createdAt }) => <Moment at={createdAt} /> },
  { name: 'Last use', isTight: true, cell: ({ lastUsedAt }) => <Moment at={lastUsedAt} /> },
  {
    name: 'Actions',
    isNameless: true,
    isAtEnd: true,
    cell: ({ id, name }) => (
      <Button variant="default" data-row-key="#" onClick={() => removeLater(PATH, id, `Passkey "${name}" removed`)}>
        Remove
      </Button>
    ),
  },
];

export function Passkeys() {
  const answer = useAnswer<ListOf<PasskeyAnswer>>(PATH);
  const deferred = useDeferred();
  const items = (answer.data?.items ?? []).filter(({ id }) => !deferred.has(id));
  return (
    <Section title="Your passkeys">
      <Answer of={answer} rows={1}>
        {() =>
          items.length > 0 && <DataTable label="Passkeys" columns={COLUMNS} items={items} keyOf={({ id }) => id} />
        }
      </Answer>
      <div style={{ marginTop: 12 }}>
        <AddPasskey />
      </div>
    </Section>
  );
}
