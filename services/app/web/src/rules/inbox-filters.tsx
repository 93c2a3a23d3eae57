import { Button } from '@mantine/core';
import type { InboxFilterAnswer, ListOf } from '@postroom/app/answers';
import { useIsAdmin, usePresent, useWorkspacePath } from '../api/session.ts';
import { useAnswer } from '../api/use-answer.ts';
import { Answer } from '../parts/answer.tsx';
import { CopyText, CurlButton } from '../parts/copy-text.tsx';
import { DataTable, type Column } from '../parts/data-table.tsx';
import { useDeferred } from '../parts/deferred.ts';
import { EmptyState } from '../parts/empty-state.tsx';
import { LabelMark } from '../parts/label-mark.tsx';
import { Section } from '../parts/page.tsx';
import { removeLater } from '../parts/remove-later.ts';
import { Moment } from '../time/moment.tsx';
import { useUrlState } from '../url/url-state.ts';
import { FILTER_TYPES, InboxFilterDialog } from './inbox-filter-dialog.tsx';

export function InboxFilters() {
  const path = useWorkspacePath()('/inbox-filters');
  const isAdmin = useIsAdmin();
  const answer = useAnswer<ListOf<InboxFilterAnswer>>(path);
  const [{ dialog, id }, change] = useUrlState(['dialog', 'id']);
  const deferred = useDeferred();
  const filters = (answer.data?.items ?? []).filter((filter) => !deferred.has(filter.id));
  const create = isAdmin && <Button onClick={() => change({ dialog: 'filter' })}>Create filter</Button>;
  return (
    <Section
      title="Inbox filters"
      intro="Hide mail from the inbox without moving it: a deleted filter shows it again."
      actions={filters.length > 0 && create}
    >
      <Answer of={answer} rows={2}>
        {() =>
          filters.length === 0 ? (
            <EmptyState title="No filters yet" text="Hide newsletters of a domain, for example." action={create} />
          ) : (
            <FilterTable
              filters={filters}
              path={path}
              edit={(filterId) => change({ dialog: 'filter', id: filterId })}
            />
          )
        }
      </Answer>
      {isAdmin && dialog === 'filter' && answer.data && (
        <InboxFilterDialog
          filter={filters.find((filter) => filter.id === id) ?? null}
          path={path}
          close={() => change({ dialog: null, id: null })}
        />
      )}
    </Section>
  );
}

interface TableProps {
  filters: readonly InboxFilterAnswer[];
  path: string;
  edit(filterId: string): void;
}

function FilterTable({ filters, path, edit }: TableProps) {
  const isAdmin = useIsAdmin();
  const { apiUrl } = usePresent();
  const columns: Column<InboxFilterAnswer>[] = [
    {
      name: 'Hides',
      cell: ({ type, value, label }) => (
        <span className="row">
          <span className="soft">{FILTER_TYPES[type]}</span>
          {label ? <LabelMark label={label} /> : <strong>{value}</strong>}
        </span>
      ),
    },
    { name: 'Id', isTight: true, cell: ({ id }) => <CopyText text={id} isRowId /> },
    { name: 'Changed', isTight: true, cell: ({ updatedAt }) => <Moment at={updatedAt} /> },
    {
      name: 'Actions',
      isNameless: true,
      isAtEnd: true,
      cell: (filter) => (
        <span className="row-end">
          <CurlButton apiUrl={apiUrl} path={`/filters/${filter.id}`} />
          {isAdmin && (
            <>
              <Button variant="default" data-row-key="e" onClick={() => edit(filter.id)}>
                Edit
              </Button>
              <Button
                variant="default"
                data-row-key="#"
                onClick={() => removeLater(path, filter.id, `Filter of ${filter.label?.name ?? filter.value} deleted`)}
              >
                Delete
              </Button>
            </>
          )}
        </span>
      ),
    },
  ];
  return <DataTable label="Inbox filters" columns={columns} items={filters} keyOf={({ id }) => id} />;
}
