import { Button } from '@mantine/core';
import type { ListOf, SessionAnswer } from '@postroom/app/answers';
import { useAnswer } from '../api/use-answer.ts';
import { Answer } from '../parts/answer.tsx';
import { Badge } from '../parts/badge.tsx';
import { DataTable, type Column } from '../parts/data-table.tsx';
import { useDeferred } from '../parts/deferred.ts';
import { Section } from '../parts/page.tsx';
import { removeLater } from '../parts/remove-later.ts';
import { signOut } from '../shell/sign-out.ts';
import { deviceName } from '../sign-in/device-name.ts';
import { Moment } from '../time/moment.tsx';

const PATH = '/account/sessions';

const COLUMNS: readonly Column<SessionAnswer>[] = [
  {
    name: 'Device',
    cell: ({ userAgent, isCurrent }) => (
      <span className="row">
        <strong title={userAgent}>{deviceName(userAgent)}</strong>
        {isCurrent && <Badge tone="accent">this session</Badge>}
      </span>
    ),
  },
  { name: 'Address', isTight: true, cell: ({ address }) => address },
  { name: 'Last seen', isTight: true, cell: ({ lastSeenAt }) => <Moment at={lastSeenAt} /> },
  { name: 'Signed in', isTight: true, cell: ({ createdAt }) => <Moment at={createdAt} /> },
  { name: 'Ends', isTight: true, cell: ({ expiresAt }) => <Moment at={expiresAt} /> },
  {
    name: 'Actions',
    isNameless: true,
    isAtEnd: true,
    cell: ({ id, isCurrent, userAgent }) => (
      <Button
        variant="default"
        data-row-key="#"
        onClick={() =>
          isCurrent ? void signOut() : removeLater(PATH, id, `Session of ${deviceName(userAgent)} signed out`)
        }
      >
        Sign out
      </Button>
    ),
  },
];

export function Sessions() {
  const answer = useAnswer<ListOf<SessionAnswer>>(PATH);
  const deferred = useDeferred();
  return (
    <Section title="Your sessions">
      <Answer of={answer} rows={2}>
        {({ items }) => (
          <DataTable
            label="Sessions"
            columns={COLUMNS}
            items={items.filter(({ id }) => !deferred.has(id))}
            keyOf={({ id }) => id}
          />
        )}
      </Answer>
    </Section>
  );
}
