import { Button } from '@mantine/core';
import type { KeyAnswer } from '@postroom/app/answers';
import { call } from '../api/call.ts';
import { invalidate, queryClient } from '../api/use-answer.ts';
import { Badge, type Tone } from '../parts/badge.tsx';
import { CopyText } from '../parts/copy-text.tsx';
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
          <CopyText text={key.id} />
        </span>
      </span>
    ),
  },
  { name: 'May', cell: (key) => permissionsOf(key) },
  { name: 'Status', cell: (key) => <Badge tone={TONES[key.status]}>{NAMES[key.status]}</Badge> },
  {
    name: 'Last use',
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
  },
  { name: 'Expires', cell: (key) => <Moment at={key.expiresAt} /> },
  { name: 'Created', cell: (key) => <Moment at={key.createdAt} /> },
];

export function KeyTable({ keys, path }: { keys: readonly KeyAnswer[]; path: string }) {
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
          <Button variant="default" onClick={() => revoke(key)}>
            Revoke
          </Button>
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

export function permissionsOf({ scopes, allowOutboundSend }: Pick<KeyAnswer, 'scopes' | 'allowOutboundSend'>): string {
  const words = [...scopes, ...(allowOutboundSend ? ['send emails'] : [])].join(', ');
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}
