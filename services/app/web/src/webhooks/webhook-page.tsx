import { useState } from 'react';
import { Button, Modal } from '@mantine/core';
import type { ListOf, WebhookAnswer } from '@postroom/app/answers';
import { Link, useParams } from 'wouter';
import { call } from '../api/call.ts';
import { useWorkspacePath } from '../api/session.ts';
import { useAnswer, useChange } from '../api/use-answer.ts';
import { Answer } from '../parts/answer.tsx';
import { CopyText } from '../parts/copy-text.tsx';
import { EmptyState } from '../parts/empty-state.tsx';
import { FaultNote } from '../parts/fault-note.tsx';
import { Page } from '../parts/page.tsx';
import { offerReversal } from '../parts/reversible.ts';
import { SecretOnce } from '../parts/secret-once.tsx';
import { useUrlState } from '../url/url-state.ts';
import { Deliveries } from './deliveries.tsx';
import { RecoverDialog } from './recover-dialog.tsx';
import { SECRET_ADVICE, WebhookDialog } from './webhook-dialog.tsx';
import { WebhookHealth } from './webhook-health.tsx';

const LIVE_MS = 5_000;

/** One endpoint: its health, and every delivery with its attempts. */
export function WebhookPage() {
  const { webhookId } = useParams<{ webhookId: string }>();
  const path = useWorkspacePath()('/webhooks');
  const answer = useAnswer<ListOf<WebhookAnswer>>(path, { everyMs: LIVE_MS });
  return (
    <Page title="Webhook" intro={<Link href="/webhooks">All webhooks</Link>}>
      <Answer of={answer}>
        {({ items }) => {
          const webhook = items.find(({ id }) => id === webhookId);
          if (!webhook) return <EmptyState title="This webhook is gone" text="Somebody deleted it." />;
          return (
            <>
              <Head webhook={webhook} path={path} />
              <Deliveries path={`${path}/${webhookId}/deliveries`} webhookId={webhookId} />
            </>
          );
        }}
      </Answer>
    </Page>
  );
}

function Head({ webhook, path }: { webhook: WebhookAnswer; path: string }) {
  const [{ dialog }, change] = useUrlState(['dialog']);
  const [secret, setSecret] = useState<string | null>(null);
  const own = `${path}/${webhook.id}`;
  const isEnabled = webhook.status === 'enabled';
  const switching = useChange((status: 'paused' | 'enabled') => call('PATCH', own, { body: { status } }), [path]);
  const pause = () =>
    switching.mutate('paused', {
      onSuccess: () => offerReversal('Webhook paused', () => switching.mutateAsync('enabled')),
    });
  const rotating = useChange(() => call<{ secret: string }>('POST', `${own}/secret`, { body: {} }), []);
  const close = () => change({ dialog: null });
  return (
    <>
      <div className="row">
        <strong>{webhook.url}</strong> <WebhookHealth webhook={webhook} />
        <span className="soft">
          <CopyText text={webhook.id} />
        </span>
      </div>
      <FaultNote error={switching.error ?? rotating.error} />
      <div className="row" style={{ marginTop: 12 }}>
        <Button
          variant="default"
          loading={switching.isPending}
          onClick={isEnabled ? pause : () => switching.mutate('enabled')}
        >
          {isEnabled ? 'Pause' : 'Enable'}
        </Button>
        <Button variant="default" onClick={() => change({ dialog: 'edit' })}>
          Edit
        </Button>
        <Button variant="default" onClick={() => change({ dialog: 'recover' })}>
          Recover
        </Button>
        <Button
          variant="default"
          loading={rotating.isPending}
          onClick={() => rotating.mutate(undefined, { onSuccess: (made) => setSecret(made.secret) })}
        >
          New secret
        </Button>
      </div>
      {dialog === 'edit' && <WebhookDialog webhook={webhook} path={path} close={close} />}
      {dialog === 'recover' && <RecoverDialog path={own} close={close} />}
      <NewSecretDialog secret={secret} close={() => setSecret(null)} />
    </>
  );
}

function NewSecretDialog({ secret, close }: { secret: string | null; close(): void }) {
  return (
    <Modal opened={secret !== null} onClose={close} title="New secret" closeOnClickOutside={false}>
      <SecretOnce
        label="Secret"
        secret={secret ?? ''}
        advice={`${SECRET_ADVICE} The old one signs no more.`}
        done={close}
      />
    </Modal>
  );
}
