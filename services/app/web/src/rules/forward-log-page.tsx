import { Button } from '@mantine/core';
import type { AutoForwardLogAnswer, AutoForwardRuleAnswer, ListOf } from '@postroom/app/answers';
import { Link, useParams } from 'wouter';
import { useIsAdmin, usePresent, useWorkspacePath } from '../api/session.ts';
import { useAnswer } from '../api/use-answer.ts';
import { Answer } from '../parts/answer.tsx';
import { Badge, type Tone } from '../parts/badge.tsx';
import { capitalized } from '../parts/capitalized.ts';
import { CopyText } from '../parts/copy-text.tsx';
import { curlColumn } from '../parts/curl-column.tsx';
import { DataTable, type Column } from '../parts/data-table.tsx';
import { EmptyState } from '../parts/empty-state.tsx';
import { Page } from '../parts/page.tsx';
import { Moment } from '../time/moment.tsx';
import { useUrlState } from '../url/url-state.ts';
import { forwardWords } from './forward-words.ts';
import { UndoPeriodDialog } from './undo-period.tsx';

const LIVE_MS = 10_000;
const TONES: Readonly<Record<AutoForwardLogAnswer['status'], Tone>> = {
  pending: 'accent',
  sent: 'good',
  failed: 'bad',
  skipped: 'quiet',
};

const FACTS: readonly Column<AutoForwardLogAnswer>[] = [
  { name: 'Email', isTight: true, cell: ({ emailId }) => <CopyText text={emailId} isRowId /> },
  {
    name: 'Result',
    cell: ({ status, reason }) => (
      <span className="row">
        <Badge tone={TONES[status]}>{capitalized(status)}</Badge>
        {reason}
      </span>
    ),
  },
  { name: 'To', cell: ({ forwardTo }) => forwardTo },
  { name: 'Attempts', cell: ({ attempts }) => attempts, isAtEnd: true, isTight: true },
  { name: 'When', isTight: true, cell: ({ createdAt }) => <Moment at={createdAt} /> },
];

/** Each email that a forward was tried for. */
export function ForwardLogPage() {
  const { ruleId } = useParams<{ ruleId: string }>();
  const path = useWorkspacePath()('/auto-forward-rules');
  const rules = useAnswer<ListOf<AutoForwardRuleAnswer>>(path);
  const logs = useAnswer<ListOf<AutoForwardLogAnswer>>(`${path}/${ruleId}/logs`, { everyMs: LIVE_MS });
  const { apiUrl } = usePresent();
  const isAdmin = useIsAdmin();
  const [{ dialog }, change] = useUrlState(['dialog']);
  const columns = [...FACTS, curlColumn(apiUrl, ({ emailId }: AutoForwardLogAnswer) => `/emails/${emailId}`)];
  const rule = rules.data?.items.find(({ id }) => id === ruleId);
  return (
    <Page
      title={rule ? `Forward to ${rule.forwardTo}` : 'Forward'}
      intro={<Link href="/rules">All rules</Link>}
      actions={
        isAdmin && (
          <Button variant="default" onClick={() => change({ dialog: 'undo' })}>
            Undo in a period
          </Button>
        )
      }
    >
      {isAdmin && dialog === 'undo' && (
        <UndoPeriodDialog
          path={`${path}/${ruleId}`}
          intro="Forwards that wait are stopped, and the log of the rule says so. Mail that was sent stays."
          close={() => change({ dialog: null })}
        />
      )}
      {rule && <p className="count">{forwardWords(rule)}</p>}
      <Answer of={logs}>
        {({ items }) =>
          items.length === 0 ? (
            <EmptyState
              title="Nothing was forwarded yet"
              text="The first email that fits is listed here, with its result."
            />
          ) : (
            <DataTable label="Forward log" columns={columns} items={items} keyOf={({ id }) => id} />
          )
        }
      </Answer>
    </Page>
  );
}
