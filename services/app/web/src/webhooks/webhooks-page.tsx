import { Button } from '@mantine/core';
import type { ListOf, WebhookAnswer } from '@postroom/app/answers';
import { WEBHOOK_EVENTS } from '@postroom/contract/lists';
import { Link } from 'wouter';
import { usePresent, useWorkspacePath } from '../api/session.ts';
import { useAnswer } from '../api/use-answer.ts';
import { Answer } from '../parts/answer.tsx';
import { CopyText, CurlButton } from '../parts/copy-text.tsx';
import { DataTable, type Column } from '../parts/data-table.tsx';
import { useDeferred } from '../parts/deferred.ts';
import { EmptyState } from '../parts/empty-state.tsx';
import { Icon } from '../parts/icon.tsx';
import { Page } from '../parts/page.tsx';
import { removeLater } from '../parts/remove-later.ts';
import { Moment } from '../time/moment.tsx';
import { useUrlState } from '../url/url-state.ts';
import { WebhookDialog } from './webhook-dialog.tsx';
import { WebhookHealth } from './webhook-health.tsx';

const LIVE_MS = 10_000;

export function WebhooksPage() {
  const path = useWorkspacePath()('/webhooks');
  const answer = useAnswer<ListOf<WebhookAnswer>>(path, { everyMs: LIVE_MS });
  const [{ dialog }, change] = useUrlState(['dialog']);
  const deferred = useDeferred();
  const webhooks = (answer.data?.items ?? []).filter(({ id }) => !deferred.has(id));
  const create = (
    <Button data-primary leftSection={<Icon name="plus" size={14} />} onClick={() => change({ dialog: 'create' })}>
      Create webhook
    </Button>
  );
  return (
    <Page
      title="Webhooks"
      intro="Events go to your servers as they happen, signed, and again until they are taken."
      actions={webhooks.length > 0 && create}
    >
      <Answer of={answer}>
        {() =>
          webhooks.length === 0 ? (
            <EmptyState
              title="No webhooks yet"
              text="Name an https address that takes POST requests."
              action={create}
            />
          ) : (
            <WebhookTable webhooks={webhooks} path={path} />
          )
        }
      </Answer>
      {dialog === 'create' && <WebhookDialog webhook={null} path={path} close={() => change({ dialog: null })} />}
    </Page>
  );
}

function WebhookTable({ webhooks, path }: { webhooks: readonly WebhookAnswer[]; path: string }) {
  const { apiUrl } = usePresent();
  const columns: Column<WebhookAnswer>[] = [
    {
      name: 'Address',
      cell: ({ id, url, description }) => (
        <span className="two">
          <Link href={`/webhooks/${id}`} data-row-key="Enter">
            <strong>{url}</strong>
          </Link>
          {description && <span className="soft">{description}</span>}
          <span className="soft">
            <CopyText text={id} isRowId />
          </span>
        </span>
      ),
    },
    {
      name: 'Events',
      cell: ({ events }) =>
        events.length === WEBHOOK_EVENTS.length || events.length === 0 ? 'All' : events.join(', '),
    },
    { name: 'Health', isTight: true, cell: (webhook) => <WebhookHealth webhook={webhook} /> },
    { name: 'Created', isTight: true, cell: ({ createdAt }) => <Moment at={createdAt} /> },
    {
      name: 'Actions',
      isNameless: true,
      isAtEnd: true,
      cell: ({ id, url }) => (
        <span className="row-end">
          <CurlButton apiUrl={apiUrl} path={`/webhooks/${id}`} />
          <Button variant="default" data-row-key="#" onClick={() => removeLater(path, id, `Webhook to ${url} deleted`)}>
            Delete
          </Button>
        </span>
      ),
    },
  ];
  return <DataTable label="Webhooks" columns={columns} items={webhooks} keyOf={({ id }) => id} />;
}
