import type { TestVerdictAnswer } from '@postroom/app/answers';
import { Badge } from '../parts/badge.tsx';
import { DataTable, type Column } from '../parts/data-table.tsx';
import { Moment } from '../time/moment.tsx';
import type { TestedRow } from './use-rule-test.ts';

/** A changed verdict is one that the stored rule has not given: without a decision of it, each label is new. */
export const isChanged = ({ before, after }: TestedRow): boolean =>
  Boolean(after) && after?.applies !== (before?.applies ?? false);

interface Props {
  rows: readonly TestedRow[];
  /** A new rule has decided nothing, and one that was changed has decided by other conditions. */
  changedAt: string | null;
}

export function RuleTestTable({ rows, changedAt }: Props) {
  const columns: Column<TestedRow>[] = [
    {
      name: 'Email',
      cell: ({ subject, from, date }) => (
        <span className="two">
          <strong>{subject || '(no subject)'}</strong>
          <span className="soft">{from.name ?? from.email}</span>
          <span className="soft">
            <Moment at={date} />
          </span>
        </span>
      ),
    },
    { name: 'Before', isTight: true, cell: ({ before }) => <Before before={before} changedAt={changedAt} /> },
    { name: 'After', isTight: true, cell: (row) => <After row={row} /> },
    {
      name: 'Confidence',
      isTight: true,
      isAtEnd: true,
      cell: ({ after }) => (after ? `${after.confidence}%` : ''),
    },
    { name: 'Reason', cell: ({ after, failure }) => after?.reason ?? failure ?? '' },
  ];
  return <DataTable label="Test" columns={columns} items={rows} keyOf={({ emailId }) => emailId} />;
}

function Before({ before, changedAt }: { before: TestedRow['before']; changedAt: string | null }) {
  if (!before) return <span className="soft">{changedAt === null ? 'No rule' : 'Not decided'}</span>;
  return (
    <span className="two">
      <Verdict of={before} />
      <span className="soft">
        {before.confidence}%{changedAt !== null && before.decidedAt < changedAt && ', before the last change'}
      </span>
    </span>
  );
}

function After({ row }: { row: TestedRow }) {
  if (row.failure) return <Badge tone="bad">Failed</Badge>;
  if (!row.after) return null;
  return (
    <span className="two">
      <Verdict of={row.after} />
      {isChanged(row) && <Badge tone="warn">Changed</Badge>}
    </span>
  );
}

function Verdict({ of: { applies } }: { of: Pick<TestVerdictAnswer, 'applies'> }) {
  return <Badge tone={applies ? 'good' : 'quiet'}>{applies ? 'Applies' : 'Does not apply'}</Badge>;
}
