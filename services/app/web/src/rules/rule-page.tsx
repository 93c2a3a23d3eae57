import { Button } from '@mantine/core';
import type { AiLabelRuleAnswer, DecisionAnswer, ListOf } from '@postroom/app/answers';
import { Link, useParams } from 'wouter';
import { useIsAdmin, usePresent, useWorkspacePath } from '../api/session.ts';
import { useAnswer } from '../api/use-answer.ts';
import { Answer } from '../parts/answer.tsx';
import { Badge } from '../parts/badge.tsx';
import { CopyText } from '../parts/copy-text.tsx';
import { curlColumn } from '../parts/curl-column.tsx';
import { DataTable, type Column } from '../parts/data-table.tsx';
import { EmptyState } from '../parts/empty-state.tsx';
import { Page, Section } from '../parts/page.tsx';
import { Pages, usePages } from '../parts/use-pages.tsx';
import { Moment } from '../time/moment.tsx';
import { useUrlState } from '../url/url-state.ts';
import { Effects } from './ai-rules.tsx';
import { CompiledCondition } from './compiled-condition.tsx';
import { UndoLabel } from './undo-label.tsx';
import { UndoPeriodDialog } from './undo-period.tsx';

/** The decisions of a rule about emails, each with its reason. */
export function RulePage() {
  const { ruleId } = useParams<{ ruleId: string }>();
  const path = useWorkspacePath()('/ai-label-rules');
  const rule = useAnswer<ListOf<AiLabelRuleAnswer>>(path).data?.items.find(({ id }) => id === ruleId);
  const answer = useAnswer<{ rule: AiLabelRuleAnswer }>(`${path}/${ruleId}`);
  const name = rule?.label.name ?? answer.data?.rule.label.name;
  return (
    <Page title={name ? `Rule: ${name}` : 'Rule'} intro={<Link href="/rules">All rules</Link>}>
      <Answer of={answer} rows={2}>
        {({ rule: shown }) => (
          <>
            <p>{shown.condition}</p>
            <Effects rule={shown} />
            <CompiledCondition rulePath={`${path}/${ruleId}`} />
            <Decisions path={`${path}/${ruleId}`} />
          </>
        )}
      </Answer>
    </Page>
  );
}

const FACTS: readonly Column<DecisionAnswer>[] = [
  {
    name: 'Email',
    cell: ({ email, emailId }) => (
      <span className="two">
        {email ? <strong>{email.subject || '(no subject)'}</strong> : <span className="soft">No longer stored</span>}
        {email && <span className="soft">{email.from.name ?? email.from.email}</span>}
        <span className="soft">
          <CopyText text={emailId} isRowId />
        </span>
      </span>
    ),
  },
  {
    name: 'Verdict',
    isTight: true,
    cell: ({ applies }) => <Badge tone={applies ? 'good' : 'quiet'}>{applies ? 'Applies' : 'Does not apply'}</Badge>,
  },
  { name: 'Confidence', cell: ({ confidence }) => `${confidence}%`, isAtEnd: true, isTight: true },
  { name: 'Reason', cell: ({ reason }) => reason },
  {
    name: 'Decided',
    isTight: true,
    cell: ({ decidedAt, model, isBackfill }) => (
      <span className="two">
        <Moment at={decidedAt} />
        <span className="soft">{isBackfill ? `${model}, backfill` : model}</span>
      </span>
    ),
  },
];

const UNDONE =
  'Labels are taken off, drafts and replies that wait go to the trash. Effects that somebody changed since stay, and so does mail that was sent.';

function Decisions({ path }: { path: string }) {
  const { apiUrl } = usePresent();
  const isAdmin = useIsAdmin();
  const pages = usePages<DecisionAnswer>(`${path}/decisions`);
  const [{ dialog }, change] = useUrlState(['dialog']);
  const columns = [
    ...FACTS,
    { name: 'Label', isAtEnd: true, cell: (decision: DecisionAnswer) => <UndoLabel decision={decision} /> },
    curlColumn(apiUrl, ({ emailId }: DecisionAnswer) => `/emails/${emailId}`),
  ];
  const undo = (
    <Button variant="default" onClick={() => change({ dialog: 'undo' })}>
      Undo in a period
    </Button>
  );
  return (
    <Section title="Decisions" intro="The newest first, with the model's own reason." actions={isAdmin && undo}>
      {isAdmin && dialog === 'undo' && (
        <UndoPeriodDialog path={path} intro={UNDONE} close={() => change({ dialog: null })} />
      )}
      <Pages
        of={pages}
        empty={
          <EmptyState
            title="No decisions yet"
            text="They stand here as soon as mail comes in, or after a backfill."
            action={
              isAdmin && (
                <Button component={Link} href="/rules?dialog=backfill">
                  Classify existing emails
                </Button>
              )
            }
          />
        }
      >
        {(items) => (
          <DataTable
            label="Decisions"
            columns={columns}
            items={items}
            keyOf={({ emailId, decidedAt }) => `${emailId} ${decidedAt}`}
          />
        )}
      </Pages>
    </Section>
  );
}
