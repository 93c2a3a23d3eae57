import { Button } from '@mantine/core';
import type { DeliveryAnswer } from '@postroom/app/answers';
import { DELIVERY_STATUSES } from '@postroom/contract/lists';
import { call } from '../api/call.ts';
import { usePresent } from '../api/session.ts';
import { useChange } from '../api/use-answer.ts';
import { Badge, type Tone } from '../parts/badge.tsx';
import { capitalized } from '../parts/capitalized.ts';
import { CopyText, CurlButton } from '../parts/copy-text.tsx';
import { DataTable, type Column } from '../parts/data-table.tsx';
import { EmptyState } from '../parts/empty-state.tsx';
import { FaultNote } from '../parts/fault-note.tsx';
import { Section } from '../parts/page.tsx';
import { SelectField } from '../parts/select-field.tsx';
import { say } from '../parts/toasts.tsx';
import { Pages, usePages } from '../parts/use-pages.tsx';
import { Moment } from '../time/moment.tsx';
import { withQuery } from '../url/query.ts';
import { useUrlState } from '../url/url-state.ts';

const TONES: Readonly<Record<DeliveryAnswer['status'], Tone>> = {
  pending: 'accent',
  delivered: 'good',
  abandoned: 'bad',
};

export function Deliveries({ path, webhookId }: { path: string; webhookId: string }) {
  const { apiUrl } = usePresent();
  const [{ status = '' }, change] = useUrlState(['status']);
  const pages = usePages<DeliveryAnswer>(withQuery(path, { status }));
  const replaying = useChange(
    (id: string) => call('POST', `${path}/${id}/replay`, { body: {} }).then(() => say('Tried again')),
    [path],
  );
  const options = [
    { value: '', label: 'All' },
    ...DELIVERY_STATUSES.map((name) => ({ value: name, label: capitalized(name) })),
  ];
  return (
    <Section
      title="Deliveries"
      actions={
        <>
          <SelectField
            label="Status"
            isLabelHidden
            value={status}
            options={options}
            change={(value) => change({ status: value })}
          />
          <Button variant="default" loading={pages.isRefetching} onClick={() => void pages.refetch()}>
            Refresh
          </Button>
        </>
      }
    >
      <FaultNote error={replaying.error} />
      <Pages
        of={pages}
        empty={<EmptyState title="No deliveries" text="The next event that this webhook wants is listed here." />}
      >
        {(items) => (
          <DataTable
            label="Deliveries"
            columns={columnsOf(replaying.mutate, webhookId, apiUrl)}
            items={items}
            keyOf={({ id }) => id}
          />
        )}
      </Pages>
    </Section>
  );
}

function columnsOf(replay: (id: string) => void, webhookId: string, apiUrl: string | null): Column<DeliveryAnswer>[] {
  return [
    {
      name: 'Event',
      cell: ({ event, changeId }) => (
        <span className="two">
          <strong>{event}</strong>
          <span className="soft">
            <CopyText text={changeId} isRowId />
          </span>
        </span>
      ),
    },
    {
      name: 'Status',
      cell: ({ status, nextAttemptAt }) => (
        <span className="row">
          <Badge tone={TONES[status]}>{capitalized(status)}</Badge>
          {nextAttemptAt && (
            <span className="soft">
              again <Moment at={nextAttemptAt} />
            </span>
          )}
        </span>
      ),
    },
    { name: 'Attempts', cell: ({ attempts }) => <Attempts attempts={attempts} /> },
    { name: 'Created', isTight: true, cell: ({ createdAt }) => <Moment at={createdAt} /> },
    {
      name: 'Actions',
      isNameless: true,
      isAtEnd: true,
      cell: ({ id }) => (
        <span className="row-end">
          <CurlButton apiUrl={apiUrl} method="POST" path={`/webhooks/${webhookId}/deliveries/${id}/replay`} />
          <Button variant="default" data-row-key="r" onClick={() => replay(id)}>
            Replay
          </Button>
        </span>
      ),
    },
  ];
}

function Attempts({ attempts }: Pick<DeliveryAnswer, 'attempts'>) {
  return (
    <ol style={{ margin: 0, paddingInlineStart: 16 }}>
      {attempts.map(({ at, status, durationMs, error }) => (
        <li key={at}>
          {status ?? error ?? 'no answer'}, {durationMs.toLocaleString('en')} ms, <Moment at={at} />
        </li>
      ))}
    </ol>
  );
}
