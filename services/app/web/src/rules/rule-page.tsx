import type { AiLabelRuleAnswer, DecisionAnswer, ListOf } from '@postroom/app/answers';
import { Link, useParams } from 'wouter';
import { useWorkspacePath } from '../api/session.ts';
import { useAnswer } from '../api/use-answer.ts';
import { Answer } from '../parts/answer.tsx';
import { Badge } from '../parts/badge.tsx';
import { CopyText } from '../parts/copy-text.tsx';
import { DataTable, type Column } from '../parts/data-table.tsx';
import { EmptyState } from '../parts/empty-state.tsx';
import { Page, Section } from '../parts/page.tsx';
import { Pages, usePages } from '../parts/use-pages.tsx';
import { Moment } from '../time/moment.tsx';
import { Effects } from './ai-rules.tsx';

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
            <Decisions path={`${path}/${ruleId}/decisions`} />
          </>
        )}
      </Answer>
    </Page>
  );
}

const COLUMNS: readonly Column<DecisionAnswer>[] = [
  {
    name: 'Email',
    cell: ({ email, emailId }) => (
      <span className="two">
        {email ? <strong>{email.subject || '(no subject)'}</strong> : <span className="soft">No longer stored</span>}
        <span className="soft">{email ? (email.from.name ?? email.from.email) : <CopyText text={emailId} />}</span>
      </span>
    ),
  },
  {
    name: 'Verdict',
    cell: ({ applies }) => <Badge tone={applies ? 'good' : 'quiet'}>{applies ? 'Applies' : 'Does not apply'}</Badge>,
  },
  { name: 'Confidence', cell: ({ confidence }) => `${confidence}%`, isAtEnd: true },
  { name: 'Reason', cell: ({ reason }) => reason },
  {
    name: 'Decided',
    cell: ({ decidedAt, model, isBackfill }) => (
      <span className="two">
        <Moment at={decidedAt} />
        <span className="soft">{isBackfill ? `${model}, backfill` : model}</span>
      </span>
    ),
  },
];

function Decisions({ path }: { path: string }) {
  const pages = usePages<DecisionAnswer>(path);
  return (
    <Section title="Decisions" intro="The newest first, with the model's own reason.">
      <Pages
        of={pages}
        empty={
          <EmptyState title="No decisions yet" text="They stand here as soon as mail comes in, or after a backfill." />
        }
      >
        {(items) => (
          <DataTable
            label="Decisions"
            columns={COLUMNS}
            items={items}
            keyOf={({ emailId, decidedAt }) => `${emailId} ${decidedAt}`}
          />
        )}
      </Pages>
    </Section>
  );
}
