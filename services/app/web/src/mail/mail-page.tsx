import { useMemo, useState } from 'react';
import { Button } from '@mantine/core';
import { Link, useSearchParams } from 'wouter';
import type { MailItemAnswer } from '@postroom/app/answers';
import { useIsAdmin, useWorkspacePath } from '../api/session.ts';
import { EmptyState } from '../parts/empty-state.tsx';
import { FaultNote } from '../parts/fault-note.tsx';
import { Page } from '../parts/page.tsx';
import { RowsSkeleton } from '../parts/skeletons.tsx';
import { useUrlState } from '../url/url-state.ts';
import { MailFilters } from './mail-filters.tsx';
import { shownItems } from './mail-list.ts';
import { useMailList } from './mail-loading.ts';
import { folderTypeOf, listPathOf, MAIL_STATE, type MailState } from './mail-query.ts';
import { MailRows } from './mail-rows.tsx';
import { SelectionBar } from './selection-bar.tsx';
import { useTriage, type Triage } from './triage.ts';

/** The inbox for people: a list that is worked through from the top. */
export function MailPage() {
  const [state, change] = useUrlState(MAIL_STATE);
  const [{ from = null }] = useUrlState(['from']);
  const path = useWorkspacePath()(listPathOf(state));
  const { list, error, loadMore } = useMailList(path);
  const triage = useTriage();
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const items = useMemo(() => shownItems(list), [list]);
  const chosen = items.filter(({ id }) => selected.has(id));
  const acts = useMemo(() => actsOf(triage, chosen, setSelected), [list, selected, path]);
  const hasMore = list.nextCursor !== null;
  return (
    <Page title="Mail">
      <MailFilters state={state} change={change} />
      <SelectionBar items={chosen} triage={triage} clear={() => setSelected(new Set())} />
      <FaultNote error={error} retry={loadMore} />
      {!list.isLoaded && !error && <RowsSkeleton rows={8} />}
      {list.isLoaded && items.length === 0 && !hasMore && <NoMail state={state} />}
      <MailRows
        key={path}
        items={items}
        state={state}
        selected={selected}
        isOutgoing={/^(SENT|DRAFTS)$/.test(folderTypeOf(state) ?? '')}
        acts={acts}
        loadMore={hasMore ? loadMore : undefined}
        focusId={from}
      />
    </Page>
  );
}

/** A key that is pressed in a selected row is for all that are selected. */
function actsOf(
  triage: Triage,
  chosen: readonly MailItemAnswer[],
  setSelected: (change: (selected: ReadonlySet<string>) => ReadonlySet<string>) => void,
) {
  const meant = (item: MailItemAnswer) => (chosen.some(({ id }) => id === item.id) ? chosen : [item]);
  const without = (items: readonly MailItemAnswer[]) =>
    setSelected((selected) => new Set([...selected].filter((id) => !items.some((item) => item.id === id))));
  return {
    select: ({ id }: MailItemAnswer) =>
      setSelected(
        (selected) => new Set(selected.has(id) ? [...selected].filter((one) => one !== id) : [...selected, id]),
      ),
    star: (item: MailItemAnswer) => triage.star(meant(item), !item.isStarred),
    toggleRead: (item: MailItemAnswer) => triage.markRead(meant(item), !item.isRead),
    done: (item: MailItemAnswer) => {
      triage.done(meant(item));
      without(meant(item));
    },
    trash: (item: MailItemAnswer) => {
      triage.trash(meant(item));
      without(meant(item));
    },
  };
}

function NoMail({ state }: { state: MailState }) {
  const isAdmin = useIsAdmin();
  const [, setParams] = useSearchParams();
  const isNarrowed = MAIL_STATE.some((name) => state[name] !== undefined);
  if (isNarrowed) {
    return (
      <EmptyState
        title="No email is here"
        text="None has all of this, or all of it is done."
        action={
          <Button variant="default" onClick={() => setParams({})}>
            Show the inbox
          </Button>
        }
      />
    );
  }
  return (
    <EmptyState
      title="Nothing to do"
      text="The inbox is empty. New mail appears here by itself."
      action={
        isAdmin && (
          <Button component={Link} variant="default" href="/mailboxes">
            See mailboxes
          </Button>
        )
      }
    />
  );
}
