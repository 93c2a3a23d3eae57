import { Button } from '@mantine/core';
import type { MailboxAnswer, MailboxDetailAnswer } from '@postroom/app/answers';
import { call } from '../api/call.ts';
import { useIsAdmin, usePresent } from '../api/session.ts';
import { invalidate, queryClient, useAnswer } from '../api/use-answer.ts';
import { CopyText, CurlButton } from '../parts/copy-text.tsx';
import { defer } from '../parts/deferred.ts';
import { say } from '../parts/toasts.tsx';
import { Moment } from '../time/moment.tsx';
import classes from './mailboxes.module.css';
import { MailboxState } from './mailbox-state.tsx';
import { isFirstSync, progressOfSync } from './progress.ts';
import { SyncProgress } from './sync-progress.tsx';

const BUSY_MS = 1_000;
const CALM_MS = 15_000;

interface Props {
  mailbox: MailboxAnswer;
  /** Its disconnection waits, and can be undone. */
  isLeaving: boolean;
  path: string;
  reconnect(): void;
}

export function MailboxCard({ mailbox, isLeaving, path, reconnect }: Props) {
  const { apiUrl } = usePresent();
  const isActive = mailbox.status === 'active';
  const { data } = useAnswer<MailboxDetailAnswer>(`${path}/${mailbox.id}`, {
    everyMs: (latest) => (isActive && isFirstSync(latest?.sync ?? null) ? BUSY_MS : CALM_MS),
  });
  const sync = data?.sync ?? null;
  const { done } = progressOfSync(sync);
  return (
    <li className={classes.card} data-row tabIndex={-1}>
      <div className={classes.head}>
        <span className={classes.email}>{mailbox.email}</span>
        <MailboxState status={mailbox.status} sync={sync} />
        <MailboxActions mailbox={mailbox} isLeaving={isLeaving} path={path} reconnect={reconnect} />
      </div>
      {sync?.lastError && mailbox.status === 'active' && <p className={classes.fault}>{sync.lastError}</p>}
      {isActive && sync && isFirstSync(sync) && <SyncProgress sync={sync} />}
      <dl className={classes.facts}>
        <Fact name="Last sync">
          <Moment at={sync?.lastSyncedAt ?? mailbox.lastSyncedAt} />
        </Fact>
        {sync && <Fact name="Emails">{done.toLocaleString('en')}</Fact>}
        <Fact name="Folders">{sync?.folders.length ?? mailbox.folders.length}</Fact>
        {data?.server && <Fact name="Servers">{`${data.server.imap}, ${data.server.smtp}`}</Fact>}
        <Fact name="Connected">
          <Moment at={mailbox.createdAt} />
        </Fact>
        <Fact name="Id">
          <CopyText text={mailbox.id} isRowId />
        </Fact>
        <Fact name="Emails by API">
          <CurlButton apiUrl={apiUrl} path={`/emails?mailboxId=${mailbox.id}`} />
        </Fact>
      </dl>
    </li>
  );
}

function Fact({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <div className={classes.fact}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function MailboxActions({ mailbox, isLeaving, path, reconnect }: Props) {
  if (!useIsAdmin()) return null;
  const disconnect = () =>
    defer(mailbox.id, {
      message: `${mailbox.email} disconnected`,
      run: (isLast) =>
        call('POST', `${path}/${mailbox.id}/disconnect`, { body: {}, keepalive: isLast }).then(() =>
          invalidate(queryClient, [path]),
        ),
    });
  const sync = () =>
    void call('POST', `${path}/${mailbox.id}/sync`, { body: {} }).then(
      () => say('Sync begun'),
      (error: unknown) => say(error instanceof Error ? error.message : 'The sync did not begin. Try again.'),
    );
  return (
    <div className={classes.actions}>
      {mailbox.status === 'active' && (
        <Button variant="default" data-row-key="s" onClick={sync}>
          Sync now
        </Button>
      )}
      <Button variant="default" data-row-key="r" onClick={reconnect} disabled={isLeaving}>
        Reconnect
      </Button>
      {mailbox.status === 'active' && (
        <Button variant="default" data-row-key="#" onClick={disconnect}>
          Disconnect
        </Button>
      )}
    </div>
  );
}
