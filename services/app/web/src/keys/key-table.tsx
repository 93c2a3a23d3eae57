import { Button } from '@mantine/core';
import type { KeyAnswer } from '@postroom/app/answers';
import { call } from '../api/call.ts';
import { usePresent } from '../api/session.ts';
import { invalidate, queryClient } from '../api/use-answer.ts';
import { Badge, type Tone } from '../parts/badge.tsx';
import { capitalized } from '../parts/capitalized.ts';
import { CopyText, CurlButton } from '../parts/copy-text.tsx';
import { DataTable, type Column } from '../parts/data-table.tsx';
import { defer } from '../parts/deferred.ts';
import { Moment } from '../time/moment.tsx';

const TONES: Readonly<Record<KeyAnswer['status'], Tone>> = { active: 'good', expired: 'warn', revoked: 'quiet' };
const NAMES: Readonly<Record<KeyAnswer['status'], string>> = {
  active: 'Active',
  expired: 'Expired',
  revoked: 'Revoked',
};

const FACTS: readonly Column<KeyAnswer>[] = [
  {
    name: 'Name',
    cell: (key) => (
      <span className="two">
        <strong>{key.name}</strong>
        <span className="soft">
          <CopyText text={key.id} isRowId />
        </span>
      </span>
    ),
  },
  { name: 'May', cell: (key) => permissionsOf(key) },
  { name: 'Status', isTight: true, cell: (key) => <Badge tone={TONES[key.status]}>{NAMES[key.status]}</Badge> },
  {
    name: 'Last use',
    isTight: true,
    cell: (key) => (
      <span className="two">
        <Moment at={key.lastUsedAt} />
        {key.lastAddress && <span className="soft">{key.lastAddress}</span>}
      </span>
    ),
  },
  {
    name: 'Calls',
    cell: (key) => <span title="In the last 24 hours">{key.calls24h.toLocaleString('en')}</span>,
    isAtEnd: true,
    isTight: true,
  },
  { name: 'Expires', isTight: true, cell: (key) => <Moment at={key.expiresAt} /> },
  { name: 'Created', isTight: true, cell: (key) => <Moment at={key.createdAt} /> },
];

export function KeyTable({ keys, path }: { keys: readonly KeyAnswer[]; path: string }) {
  const { apiUrl } = usePresent();
  const revoke = (key: KeyAnswer) =>
    defer(key.id, {
      message: `Key "${key.name}" revoked`,
      run: (isLast) =>
        call('POST', `${path}/${key.id}/revoke`, { body: {}, keepalive: isLast }).then(() =>
          invalidate(queryClient, [path]),
        ),
    });
  const columns: Column<KeyAnswer>[] = [
    ...FACTS,
    {
      name: 'Actions',
      isNameless: true,
      isAtEnd: true,
      cell: (key) =>
        key.status === 'active' && (
          <span className="row-end">
            <CurlButton apiUrl={apiUrl} path="/emails?limit=2" />
            <Button variant="default" data-row-key="#" onClick={() => revoke(key)}>
              Revoke
            </Button>
          </span>
        ),
    },
  ];
  return (
    <DataTable
      label="Keys"
      columns={columns}
      items={keys}
      keyOf={({ id }) => id}
      isQuiet={({ status }) => status !== 'active'}
    />
  );
}

function permissionsOf({ scopes, allowOutboundSend }: Pick<KeyAnswer, 'scopes' | 'allowOutboundSend'>): string {
  return capitalized([...scopes, ...(allowOutboundSend ? ['send emails'] : [])].join(', '));
}
