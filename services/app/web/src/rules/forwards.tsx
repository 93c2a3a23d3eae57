import { Button } from '@mantine/core';
import type { AutoForwardRuleAnswer, ListOf } from '@postroom/app/answers';
import { Link } from 'wouter';
import { call } from '../api/call.ts';
import { useIsAdmin, usePresent, useWorkspacePath } from '../api/session.ts';
import { useAnswer, useChange } from '../api/use-answer.ts';
import { Answer } from '../parts/answer.tsx';
import { Badge } from '../parts/badge.tsx';
import { CopyText, CurlButton } from '../parts/copy-text.tsx';
import { DataTable, type Column } from '../parts/data-table.tsx';
import { useDeferred } from '../parts/deferred.ts';
import { EmptyState } from '../parts/empty-state.tsx';
import { FaultNote } from '../parts/fault-note.tsx';
import { Section } from '../parts/page.tsx';
import { removeLater } from '../parts/remove-later.ts';
import { offerReversal } from '../parts/reversible.ts';
import { useUrlState } from '../url/url-state.ts';
import { ForwardDialog } from './forward-dialog.tsx';
import { forwardWords } from './forward-words.ts';

export function Forwards() {
  const path = useWorkspacePath()('/auto-forward-rules');
  const isAdmin = useIsAdmin();
  const answer = useAnswer<ListOf<AutoForwardRuleAnswer>>(path);
  const [{ dialog, id }, change] = useUrlState(['dialog', 'id']);
  const deferred = useDeferred();
  const rules = (answer.data?.items ?? []).filter((rule) => !deferred.has(rule.id));
  const create = isAdmin && <Button onClick={() => change({ dialog: 'forward' })}>Create forward</Button>;
  return (
    <Section
      title="Forwards"
      intro="Mail that goes on to another address as soon as it is labelled."
      actions={rules.length > 0 && create}
    >
      <Answer of={answer} rows={2}>
        {() =>
          rules.length === 0 ? (
            <EmptyState
              title="No forwards yet"
              text="Send invoices on to the accountant, for example."
              action={create}
            />
          ) : (
            <ForwardTable rules={rules} path={path} edit={(ruleId) => change({ dialog: 'forward', id: ruleId })} />
          )
        }
      </Answer>
      {isAdmin && dialog === 'forward' && answer.data && (
        <ForwardDialog
          rule={rules.find((rule) => rule.id === id) ?? null}
          path={path}
          close={() => change({ dialog: null, id: null })}
        />
      )}
    </Section>
  );
}

interface TableProps {
  rules: readonly AutoForwardRuleAnswer[];
  path: string;
  edit(ruleId: string): void;
}

const FACTS: readonly Column<AutoForwardRuleAnswer>[] = [
  {
    name: 'When',
    cell: (rule) => (
      <span className="two">
        <span>{forwardWords(rule)}</span>
        <span className="soft">
          <CopyText text={rule.id} isRowId />
        </span>
      </span>
    ),
  },
  { name: 'To', cell: ({ forwardTo }) => forwardTo },
  { name: 'As', cell: ({ mode }) => (mode === 'normal' ? 'Fwd:' : 'The original, unchanged') },
  {
    name: 'State',
    isTight: true,
    cell: ({ isActive }) => <Badge tone={isActive ? 'good' : 'quiet'}>{isActive ? 'Active' : 'Paused'}</Badge>,
  },
];

/** Pauses a forward, or resumes it. */
function usePausing(path: string) {
  const switching = useChange(
    ({ id, isActive }: Pick<AutoForwardRuleAnswer, 'id' | 'isActive'>) =>
      call('PATCH', `${path}/${id}`, { body: { isActive } }),
    [path],
  );
  const change = ({ id, isActive, forwardTo }: AutoForwardRuleAnswer) =>
    switching.mutate(
      { id, isActive: !isActive },
      {
        onSuccess: () =>
          offerReversal(`Forward to ${forwardTo} ${isActive ? 'paused' : 'resumed'}`, () =>
            switching.mutateAsync({ id, isActive }),
          ),
      },
    );
  return { change, error: switching.error };
}

function ForwardTable({ rules, path, edit }: TableProps) {
  const isAdmin = useIsAdmin();
  const { apiUrl } = usePresent();
  const { change, error } = usePausing(path);
  const columns: Column<AutoForwardRuleAnswer>[] = [
    ...FACTS,
    {
      name: 'Actions',
      isNameless: true,
      isAtEnd: true,
      cell: (rule) => (
        <span className="row-end">
          <CurlButton apiUrl={apiUrl} path={`/auto-forward-rules/${rule.id}`} />
          <Link href={`/rules/forwards/${rule.id}`} data-row-key="Enter">
            Log
          </Link>
          {isAdmin && (
            <>
              <Button variant="default" onClick={() => change(rule)}>
                {rule.isActive ? 'Pause' : 'Resume'}
              </Button>
              <Button variant="default" data-row-key="e" onClick={() => edit(rule.id)}>
                Edit
              </Button>
              <Button
                variant="default"
                data-row-key="#"
                onClick={() => removeLater(path, rule.id, `Forward to ${rule.forwardTo} deleted`)}
              >
                Delete
              </Button>
            </>
          )}
        </span>
      ),
    },
  ];
  return (
    <>
      <FaultNote error={error} />
      <DataTable label="Forwards" columns={columns} items={rules} keyOf={({ id }) => id} />
    </>
  );
}
