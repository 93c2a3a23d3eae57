import type { TestVerdictAnswer } from '@postroom/app/answers';
import { Badge } from '../parts/badge.tsx';
import { DataTable, type Column } from '../parts/data-table.tsx';
import { Moment } from '../time/moment.tsx';
import { ExpectedVerdict, type Expectations } from './expected-verdicts.tsx';
import type { TestedRow } from './use-rule-test.ts';

/** A changed verdict is one that the stored rule has not given: without a decision of it, each label is new. */
export const isChanged = ({ before, after }: TestedRow): boolean =>
  Boolean(after) && after?.applies !== (before?.applies ?? false);

export const isUnexpected = ({ after }: TestedRow, expected: boolean | undefined): boolean =>
  Boolean(after) && expected !== undefined && after?.applies !== expected;

interface Props {
  rows: readonly TestedRow[];
  /** A new rule has decided nothing, and one that was changed has decided by other conditions. */
  changedAt: string | null;
  /** Null for a new rule, which keeps no set yet. */
  expectations: Expectations | null;
}

export function RuleTestTable({ rows, changedAt, expectations }: Props) {
  const columns: Column<TestedRow>[] = [
    EMAIL,
    { name: 'Before', isTight: true, cell: ({ before }) => <Before before={before} changedAt={changedAt} /> },
    { name: 'After', isTight: true, cell: (row) => <After row={row} expected={expectations?.of(row.emailId)} /> },
    CONFIDENCE,
    { name: 'Reason', cell: ({ after, failure }) => after?.reason ?? failure ?? '' },
  ];
  if (expectations) {
    columns.push({
      name: 'Expected',
      isTight: true,
      cell: ({ emailId, subject }) => <ExpectedVerdict emailId={emailId} subject={subject} of={expectations} />,
    });
  }
  return <DataTable label="Test" columns={columns} items={rows} keyOf={({ emailId }) => emailId} />;
}

const EMAIL: Column<TestedRow> = {
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
};

const CONFIDENCE: Column<TestedRow> = {
  name: 'Confidence',
  isTight: true,
  isAtEnd: true,
  cell: ({ after }) => (after ? `${after.confidence}%` : ''),
};

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

function After({ row, expected }: { row: TestedRow; expected: boolean | undefined }) {
  if (row.failure) return <Badge tone="bad">Failed</Badge>;
  if (!row.after) return null;
  return (
    <span className="two">
      <Verdict of={row.after} />
      {isChanged(row) && <Badge tone="warn">Changed</Badge>}
      {isUnexpected(row, expected) && <Badge tone="bad">Not as expected</Badge>}
    </span>
  );
}

function Verdict({ of: { applies } }: { of: Pick<TestVerdictAnswer, 'applies'> }) {
  return <Badge tone={applies ? 'good' : 'quiet'}>{applies ? 'Applies' : 'Does not apply'}</Badge>;
}
