import { Button, TextInput } from '@mantine/core';
import type { ActivityAnswer } from '@postroom/app/answers';
import { useWorkspacePath } from '../api/session.ts';
import { Badge } from '../parts/badge.tsx';
import { capitalized } from '../parts/capitalized.ts';
import { CopyText } from '../parts/copy-text.tsx';
import { DataTable, type Column } from '../parts/data-table.tsx';
import { DateRange } from '../parts/date-range.tsx';
import { EmptyState } from '../parts/empty-state.tsx';
import { Page } from '../parts/page.tsx';
import { SelectField } from '../parts/select-field.tsx';
import { Pages, usePages } from '../parts/use-pages.tsx';
import { Moment } from '../time/moment.tsx';
import { withQuery } from '../url/query.ts';
import { useUrlState } from '../url/url-state.ts';
import { actionWords, ACTION_AREAS, ACTOR_NAMES } from './action-words.ts';
import { RuleDecisions } from './rule-decisions.tsx';
import classes from './activity.module.css';

const FILTERS = ['actorKind', 'actor', 'action', 'from', 'to'] as const;

export function ActivityPage() {
  const inWorkspace = useWorkspacePath();
  const [filters, change] = useUrlState(FILTERS);
  const isFiltered = Object.keys(filters).length > 0;
  const isOfRules = filters.actorKind === 'rule';
  const clear = () => change(Object.fromEntries(FILTERS.map((name) => [name, null])));
  return (
    <Page
      title="Activity"
      intro="Who did what to what, when, and from where."
      actions={
        !isOfRules && (
          <Button
            variant="default"
            component="a"
            href={`/app/api${inWorkspace(withQuery('/activity.csv', filters))}`}
            download
          >
            Export CSV
          </Button>
        )
      }
    >
      <Filters filters={filters} change={change} clear={isFiltered ? clear : undefined} />
      {isOfRules ? <RuleDecisions /> : <AuditLog filters={filters} change={change} clear={clear} />}
    </Page>
  );
}

interface LogProps {
  filters: Values;
  change: Change;
  clear(): void;
}

function AuditLog({ filters, change, clear }: LogProps) {
  const pages = usePages<ActivityAnswer>(useWorkspacePath()(withQuery('/activity', filters)));
  const isFiltered = Object.keys(filters).length > 0;
  return (
    <Pages
      of={pages}
      empty={
        <EmptyState
          title={isFiltered ? 'Nothing matches' : 'Nothing has happened yet'}
          text={isFiltered ? 'Other filters may show more.' : 'The first change of anything stands here.'}
          action={isFiltered && <Button onClick={clear}>Clear filters</Button>}
        />
      }
    >
      {(items) => <DataTable label="Activity" columns={columnsOf(change)} items={items} keyOf={({ id }) => id} />}
    </Pages>
  );
}

type Values = Partial<Record<(typeof FILTERS)[number], string>>;
type Change = (changes: Partial<Record<(typeof FILTERS)[number], string | null>>) => void;

function Filters({ filters, change, clear }: { filters: Values; change: Change; clear?: () => void }) {
  return (
    <div role="search" aria-label="Activity" className={classes.filters}>
      <SelectField
        label="Who"
        isLabelHidden
        value={filters.actorKind ?? ''}
        options={[
          { value: '', label: 'Anyone' },
          ...Object.entries(ACTOR_NAMES).map(([value, label]) => ({ value, label })),
        ]}
        change={(actorKind) => change({ actorKind })}
      />
      {filters.actorKind !== 'rule' && (
        <>
          <SelectField
            label="What"
            isLabelHidden
            value={filters.action ?? ''}
            options={[
              { value: '', label: 'Anything' },
              ...ACTION_AREAS.map(([value, label]) => ({ value, label })),
              ...(filters.action?.includes('.') ? [{ value: filters.action, label: actionWords(filters.action) }] : []),
            ]}
            change={(action) => change({ action })}
          />
          <DateRange from={filters.from ?? ''} to={filters.to ?? ''} change={change} />
        </>
      )}
      {filters.actor && <TextInput aria-label="Id of who" readOnly value={filters.actor} />}
      {clear && (
        <Button variant="subtle" onClick={clear}>
          Clear filters
        </Button>
      )}
    </div>
  );
}

function columnsOf(change: Change): Column<ActivityAnswer>[] {
  return [
    {
      name: 'Who',
      cell: ({ actor }) => (
        <span className="two">
          <button
            type="button"
            className={classes.who}
            data-row-key="Enter"
            title="Show only this one"
            onClick={() => change({ actorKind: actor.kind, actor: actor.id })}
          >
            {actor.name || actor.id}
          </button>
          <span className="soft">{ACTOR_NAMES[actor.kind]}</span>
        </span>
      ),
    },
    {
      name: 'What',
      cell: ({ action, outcome }) => (
        <span className="row">
          {actionWords(action)}
          {outcome !== 'done' && <Badge tone={outcome === 'failed' ? 'bad' : 'warn'}>{capitalized(outcome)}</Badge>}
        </span>
      ),
    },
    {
      name: 'To what',
      cell: ({ targetName, targetId }) => (
        <span className="two">
          {targetName && targetName !== targetId && <span>{targetName}</span>}
          {targetId && (
            <span className="soft">
              <CopyText text={targetId} isRowId />
            </span>
          )}
        </span>
      ),
    },
    { name: 'From', isTight: true, cell: ({ actor }) => actor.address || <span className="soft">–</span> },
    { name: 'When', isTight: true, cell: ({ at }) => <Moment at={at} /> },
  ];
}
