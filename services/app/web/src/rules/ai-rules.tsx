import { Button } from '@mantine/core';
import type { AiLabelRuleAnswer, ListOf } from '@postroom/app/answers';
import { Link } from 'wouter';
import { useIsAdmin, usePresent, useWorkspacePath } from '../api/session.ts';
import { useAnswer } from '../api/use-answer.ts';
import { Answer } from '../parts/answer.tsx';
import { Badge } from '../parts/badge.tsx';
import { CopyText, CurlButton } from '../parts/copy-text.tsx';
import { DataTable, type Column } from '../parts/data-table.tsx';
import { useDeferred } from '../parts/deferred.ts';
import { EmptyState } from '../parts/empty-state.tsx';
import { LabelMark } from '../parts/label-mark.tsx';
import { Section } from '../parts/page.tsx';
import { removeLater } from '../parts/remove-later.ts';
import { useTextFilter } from '../parts/text-filter.tsx';
import { useUrlState } from '../url/url-state.ts';
import { AiRuleDialog } from './ai-rule-dialog.tsx';

export function AiRules() {
  const path = useWorkspacePath()('/ai-label-rules');
  const isAdmin = useIsAdmin();
  const answer = useAnswer<ListOf<AiLabelRuleAnswer>>(path);
  const [{ dialog, id }, change] = useUrlState(['dialog', 'id']);
  const deferred = useDeferred();
  const rules = (answer.data?.items ?? []).filter((rule) => !deferred.has(rule.id));
  const [shown, filter] = useTextFilter('Filter rules', rules, ({ id: ruleId, label, condition }) => [
    label.name,
    condition,
    ruleId,
  ]);
  const create = isAdmin && (
    <Button data-primary onClick={() => change({ dialog: 'rule' })}>
      Create rule
    </Button>
  );
  const close = () => change({ dialog: null, id: null });
  return (
    <Section
      title="AI label rules"
      intro="A condition in plain language. Each email that comes in is held against it."
      actions={rules.length > 0 && create}
    >
      <Answer of={answer}>
        {() =>
          rules.length === 0 ? (
            <EmptyState
              title="No AI rules yet"
              text="Say in a sentence what a label is for: a model reads each email that comes in, and labels it."
              action={create}
            />
          ) : (
            <>
              {filter}
              <RuleTable rules={shown} path={path} edit={(ruleId) => change({ dialog: 'rule', id: ruleId })} />
            </>
          )
        }
      </Answer>
      {isAdmin && dialog === 'rule' && answer.data && (
        <AiRuleDialog rule={rules.find((rule) => rule.id === id) ?? null} path={path} close={close} />
      )}
    </Section>
  );
}

interface TableProps {
  rules: readonly AiLabelRuleAnswer[];
  path: string;
  edit(ruleId: string): void;
}

function RuleTable({ rules, path, edit }: TableProps) {
  const isAdmin = useIsAdmin();
  const { apiUrl } = usePresent();
  const columns: Column<AiLabelRuleAnswer>[] = [
    {
      name: 'Label',
      cell: ({ id, label }) => (
        <span className="two">
          <LabelMark label={label} />
          <span className="soft">
            <CopyText text={id} isRowId />
          </span>
        </span>
      ),
    },
    { name: 'Condition', cell: ({ condition }) => condition },
    { name: 'Does', cell: (rule) => <Effects rule={rule} /> },
    {
      name: 'Actions',
      isNameless: true,
      isAtEnd: true,
      cell: (rule) => (
        <span className="row-end">
          <CurlButton apiUrl={apiUrl} path={`/ai-label-rules/${rule.id}`} />
          <Link href={`/rules/${rule.id}`} data-row-key="Enter">
            Decisions
          </Link>
          {isAdmin && (
            <>
              <Button variant="default" data-row-key="e" onClick={() => edit(rule.id)}>
                Edit
              </Button>
              <Button
                variant="default"
                data-row-key="#"
                onClick={() => removeLater(path, rule.id, `Rule "${rule.label.name}" and its label deleted`)}
              >
                Delete
              </Button>
            </>
          )}
        </span>
      ),
    },
  ];
  return <DataTable label="AI label rules" columns={columns} items={rules} keyOf={({ id }) => id} />;
}

export function Effects({ rule }: { rule: AiLabelRuleAnswer }) {
  return (
    <span className="row">
      <Badge tone="quiet">Labels</Badge>
      {rule.hideFromInbox && <Badge tone="quiet">Hides</Badge>}
      {rule.autoDraftEnabled && <Badge tone="accent">Drafts</Badge>}
      {rule.autoReplyEnabled && (
        <Badge tone="warn">
          Replies from {rule.autoReplyConfidenceThreshold}%, after {rule.autoReplyDelayMinutes} min
        </Badge>
      )}
    </span>
  );
}
