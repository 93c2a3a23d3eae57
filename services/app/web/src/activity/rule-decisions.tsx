import type { AiLabelRuleAnswer, DecisionAnswer, ListOf } from '@postroom/app/answers';
import { Link } from 'wouter';
import { useWorkspacePath } from '../api/session.ts';
import { useAnswer } from '../api/use-answer.ts';
import { DataTable, type Column } from '../parts/data-table.tsx';
import { EmptyState } from '../parts/empty-state.tsx';
import { LabelMark } from '../parts/label-mark.tsx';
import { Pages, usePages } from '../parts/use-pages.tsx';
import { UndoLabel } from '../rules/undo-label.tsx';
import { Moment } from '../time/moment.tsx';

/** The emails that AI rules labeled, the newest first. Rules leave no entries in the audit log. */
export function RuleDecisions() {
  const inWorkspace = useWorkspacePath();
  const rules = useAnswer<ListOf<AiLabelRuleAnswer>>(inWorkspace('/ai-label-rules'));
  const pages = usePages<DecisionAnswer>(inWorkspace('/rule-decisions'));
  return (
    <Pages
      of={pages}
      empty={<EmptyState title="No rule has applied yet" text="Each email that a rule labels stands here." />}
    >
      {(items) => (
        <DataTable
          label="Activity"
          columns={columnsOf(rules.data?.items ?? [])}
          items={items}
          keyOf={({ emailId, ruleId, decidedAt }) => `${emailId} ${ruleId} ${decidedAt}`}
        />
      )}
    </Pages>
  );
}

function columnsOf(rules: readonly AiLabelRuleAnswer[]): Column<DecisionAnswer>[] {
  return [
    {
      name: 'Who',
      cell: ({ ruleId }) => {
        const rule = rules.find(({ id }) => id === ruleId);
        return rule ? (
          <Link href={`/rules/${ruleId}`}>{rule.label.name}</Link>
        ) : (
          <span className="soft">Deleted rule</span>
        );
      },
    },
    {
      name: 'What',
      cell: ({ ruleId, isBackfill }) => {
        const label = rules.find(({ id }) => id === ruleId)?.label;
        return (
          <span className="two">
            {label ? <LabelMark label={label} /> : 'Label'}
            {isBackfill && <span className="soft">Backfill</span>}
          </span>
        );
      },
    },
    {
      name: 'To what',
      cell: ({ email, reason }) => (
        <span className="two">
          {email ? <strong>{email.subject || '(no subject)'}</strong> : <span className="soft">No longer stored</span>}
          <span className="soft">{reason}</span>
        </span>
      ),
    },
    { name: 'When', isTight: true, cell: ({ decidedAt }) => <Moment at={decidedAt} /> },
    { name: 'Label', isAtEnd: true, isNameless: true, cell: (decision) => <UndoLabel decision={decision} /> },
  ];
}
