import { Button } from '@mantine/core';
import type { ListOf, MailboxAnswer } from '@postroom/app/answers';
import { useIsAdmin, useWorkspacePath } from '../api/session.ts';
import { useAnswer } from '../api/use-answer.ts';
import { Answer } from '../parts/answer.tsx';
import { useDeferred } from '../parts/deferred.ts';
import { EmptyState } from '../parts/empty-state.tsx';
import { Icon } from '../parts/icon.tsx';
import { Page } from '../parts/page.tsx';
import { useTextFilter } from '../parts/text-filter.tsx';
import { useUrlState } from '../url/url-state.ts';
import { ConnectDialog } from './connect-dialog.tsx';
import { MailboxCard } from './mailbox-card.tsx';
import classes from './mailboxes.module.css';
import { ReconnectDialog } from './reconnect-dialog.tsx';

const LIVE_MS = 15_000;

export function MailboxesPage() {
  const path = useWorkspacePath()('/mailboxes');
  const isAdmin = useIsAdmin();
  const answer = useAnswer<ListOf<MailboxAnswer>>(path, { everyMs: LIVE_MS });
  const [{ dialog, mailbox: shown }, change] = useUrlState(['dialog', 'mailbox']);
  const mailboxes = answer.data?.items ?? [];
  const connect = isAdmin && (
    <Button data-primary leftSection={<Icon name="plus" size={14} />} onClick={() => change({ dialog: 'connect' })}>
      Connect mailbox
    </Button>
  );
  const reconnected = mailboxes.find(({ id }) => id === shown);
  return (
    <Page
      title="Mailboxes"
      intro="Each is synchronized with its provider, in both directions."
      actions={mailboxes.length > 0 && connect}
    >
      <Answer of={answer}>
        {() =>
          mailboxes.length === 0 ? (
            <EmptyState
              title="No mailboxes yet"
              text="Connect one by IMAP and SMTP. Its first mail is here after some seconds."
              action={connect}
            />
          ) : (
            <MailboxList
              mailboxes={mailboxes}
              path={path}
              reconnect={(id) => change({ dialog: 'reconnect', mailbox: id })}
            />
          )
        }
      </Answer>
      {dialog === 'connect' && isAdmin && <ConnectDialog close={() => change({ dialog: null })} path={path} />}
      {dialog === 'reconnect' && isAdmin && reconnected && (
        <ReconnectDialog mailbox={reconnected} close={() => change({ dialog: null, mailbox: null })} path={path} />
      )}
    </Page>
  );
}

interface ListProps {
  mailboxes: readonly MailboxAnswer[];
  path: string;
  reconnect(id: string): void;
}

function MailboxList({ mailboxes, path, reconnect }: ListProps) {
  const deferred = useDeferred();
  const [listed, filter] = useTextFilter('Filter mailboxes', mailboxes, ({ id, email, name }) => [
    email,
    name ?? '',
    id,
  ]);
  return (
    <>
      {filter}
      <ul className={classes.list}>
        {listed.map((mailbox) => (
          <MailboxCard
            key={mailbox.id}
            mailbox={deferred.has(mailbox.id) ? { ...mailbox, status: 'disconnected' } : mailbox}
            isLeaving={deferred.has(mailbox.id)}
            path={path}
            reconnect={() => reconnect(mailbox.id)}
          />
        ))}
      </ul>
    </>
  );
}
