import { Button } from '@mantine/core';
import type { LabelAnswer, ListOf, MailboxAnswer, ViewAnswer } from '@postroom/app/answers';
import { Link } from 'wouter';
import { useIsAdmin, usePresent, useWorkspacePath } from '../api/session.ts';
import { useAnswer } from '../api/use-answer.ts';
import { Answer } from '../parts/answer.tsx';
import { CopyText, CurlButton } from '../parts/copy-text.tsx';
import { DataTable, type Column } from '../parts/data-table.tsx';
import { useDeferred } from '../parts/deferred.ts';
import { EmptyState } from '../parts/empty-state.tsx';
import { Icon } from '../parts/icon.tsx';
import { Page } from '../parts/page.tsx';
import { removeLater } from '../parts/remove-later.ts';
import { useTextFilter } from '../parts/text-filter.tsx';
import { fromFilters } from './filter-tree.ts';
import { filterWords } from './filter-words.ts';
import { newId } from './new-id.ts';

export function ViewsPage() {
  const path = useWorkspacePath()('/views');
  const isAdmin = useIsAdmin();
  const answer = useAnswer<ListOf<ViewAnswer>>(path);
  const deferred = useDeferred();
  const create = isAdmin && (
    <Button data-primary component={Link} href="/views/new" leftSection={<Icon name="plus" size={14} />}>
      Create view
    </Button>
  );
  const views = (answer.data?.items ?? []).filter(({ id }) => !deferred.has(id));
  const [listed, filter] = useTextFilter('Filter views', views, ({ id, name }) => [name, id]);
  const hasViews = answer.data !== undefined && answer.data.items.length > 0;
  return (
    <Page
      title="Views"
      intro="Saved filters, for people and programs. Here they can also be restricted to mailboxes."
      actions={hasViews && create}
    >
      <Answer of={answer}>
        {({ items }) =>
          items.length === 0 ? (
            <EmptyState
              title="No views yet"
              text="A view is a saved filter, such as: unread, from a customer, of the last week."
              action={create}
            />
          ) : (
            <>
              {filter}
              <ViewTable views={listed} path={path} />
            </>
          )
        }
      </Answer>
    </Page>
  );
}

function ViewTable({ views, path }: { views: readonly ViewAnswer[]; path: string }) {
  const inWorkspace = useWorkspacePath();
  const isAdmin = useIsAdmin();
  const { apiUrl } = usePresent();
  const labels = useAnswer<ListOf<LabelAnswer>>(inWorkspace('/labels')).data?.items ?? [];
  const mailboxes = useAnswer<ListOf<MailboxAnswer>>(inWorkspace('/mailboxes')).data?.items ?? [];
  const labelName = (id: string) => labels.find((label) => label.id === id)?.name ?? id;
  const emailOf = (id: string) => mailboxes.find((mailbox) => mailbox.id === id)?.email ?? id;
  const columns: Column<ViewAnswer>[] = [
    {
      name: 'Name',
      cell: (view) => (
        <span className="two">
          <strong>
            {view.icon && <span aria-hidden>{view.icon} </span>}
            {isAdmin ? (
              <Link href={`/views/${view.id}`} data-row-key="Enter">
                {view.name}
              </Link>
            ) : (
              view.name
            )}
          </strong>
          <span className="soft">
            <CopyText text={view.id} isRowId />
          </span>
        </span>
      ),
    },
    { name: 'Shows', cell: (view) => filterWords(fromFilters(view.filters, newId), labelName) },
    { name: 'Mailboxes', cell: (view) => <FirstOf names={view.mailboxIds.map(emailOf)} /> },
    {
      name: 'Actions',
      isNameless: true,
      isAtEnd: true,
      cell: (view) => (
        <span className="row-end">
          <CurlButton apiUrl={apiUrl} path={`/emails?viewId=${view.id}`} />
          {isAdmin && (
            <Button
              variant="default"
              data-row-key="#"
              onClick={() => removeLater(path, view.id, `View "${view.name}" deleted`)}
            >
              Delete
            </Button>
          )}
        </span>
      ),
    },
  ];
  return <DataTable label="Views" columns={columns} items={views} keyOf={({ id }) => id} />;
}

const MOST_NAMES = 3;

/** The first names alone: a view of thirty mailboxes would fill the page. */
function FirstOf({ names }: { names: readonly string[] }) {
  if (names.length === 0) return <span className="soft">All</span>;
  const rest = names.length - MOST_NAMES;
  if (rest <= 0) return names.join(', ');
  return (
    <span title={names.join(', ')}>
      {names.slice(0, MOST_NAMES).join(', ')} <span className="soft">and {rest} more</span>
    </span>
  );
}
