import { useEffect, useState } from 'react';
import { Button } from '@mantine/core';
import { Link, useLocation, useParams } from 'wouter';
import type { OpenedEmailAnswer } from '@postroom/app/answers';
import { useWorkspacePath } from '../api/session.ts';
import { useAnswer } from '../api/use-answer.ts';
import { Answer } from '../parts/answer.tsx';
import { LabelMark } from '../parts/label-mark.tsx';
import { Page } from '../parts/page.tsx';
import { withQuery } from '../url/query.ts';
import { useUrlState } from '../url/url-state.ts';
import classes from './email.module.css';
import { LabelMenu } from './label-menu.tsx';
import { neighboursOf, shownItems } from './mail-list.ts';
import { useMailList } from './mail-loading.ts';
import { emailPathOf, listPathOf, MAIL_STATE, type MailState } from './mail-query.ts';
import { subjectOf } from './mail-words.ts';
import { ThreadEmail } from './thread-email.tsx';
import { useTriage } from './triage.ts';
import { WhyPanel } from './why-panel.tsx';

/** One email with its thread, and the ways to the emails beside it in the list that it was opened from. */
export function OpenedEmailPage() {
  const { emailId } = useParams<{ emailId: string }>();
  const answer = useAnswer<OpenedEmailAnswer>(useWorkspacePath()(`/emails/${encodeURIComponent(emailId)}`));
  const [state] = useUrlState(MAIL_STATE);
  const subject = answer.data ? subjectOf(answer.data.email) : 'Email';
  return (
    <Page title={subject} intro={<Ways emailId={emailId} opened={answer.data} state={state} />}>
      <Answer of={answer}>{(opened) => <Opened key={emailId} opened={opened} state={state} />}</Answer>
    </Page>
  );
}

const backTo = (emailId: string, state: MailState): string => withQuery('/mail', { ...state, from: emailId });

function useNeighbours(opened: OpenedEmailAnswer | undefined, state: MailState) {
  const { list, loadMore } = useMailList(useWorkspacePath()(listPathOf(state)));
  const { previous, next } = opened ? neighboursOf(shownItems(list), opened.email) : {};
  const isAtEnd = opened !== undefined && next === undefined && list.nextCursor !== null;
  useEffect(() => {
    if (isAtEnd) loadMore();
  }, [isAtEnd, list]);
  return { previous, next };
}

interface WaysProps {
  emailId: string;
  opened: OpenedEmailAnswer | undefined;
  state: MailState;
}

function Ways({ emailId, opened, state }: WaysProps) {
  const { previous, next } = useNeighbours(opened, state);
  return (
    <span className={classes.ways}>
      <Link href={backTo(emailId, state)} data-page-key="Escape">
        Back to the list
      </Link>
      {previous && (
        <Link href={emailPathOf(previous.id, state)} data-page-key="k">
          Previous
        </Link>
      )}
      {next && (
        <Link href={emailPathOf(next.id, state)} data-page-key="j">
          Next
        </Link>
      )}
    </span>
  );
}

function Opened({ opened, state }: { opened: OpenedEmailAnswer; state: MailState }) {
  const { email, thread, why, folderType } = opened;
  const triage = useTriage();
  const [, go] = useLocation();
  const [isWhyShown, setWhyShown] = useState(false);
  const { next } = useNeighbours(opened, state);
  useEffect(() => triage.markRead([email], true), []);
  const moveOn = () => go(next ? emailPathOf(next.id, state) : backTo(email.id, state));
  return (
    <>
      <EmailActions opened={opened} moveOn={moveOn} isWhyShown={isWhyShown} showWhy={setWhyShown} />
      <div id="why">{isWhyShown && <WhyPanel emailId={email.id} why={why} folderType={folderType} />}</div>
      <div className={classes.thread}>
        {thread.map((one) => (
          <ThreadEmail key={one.id} email={one} isOpenedFirst={one.id === email.id} />
        ))}
      </div>
    </>
  );
}

interface ActionsProps {
  opened: OpenedEmailAnswer;
  /** Leaves an email that is no longer in the list. */
  moveOn(): void;
  isWhyShown: boolean;
  showWhy(isShown: boolean): void;
}

function EmailActions({ opened, moveOn, isWhyShown, showWhy }: ActionsProps) {
  const { email, folderType } = opened;
  const triage = useTriage();
  const done = () => {
    triage.done([email]);
    moveOn();
  };
  const trash = () => {
    triage.trash([email]);
    moveOn();
  };
  return (
    <div className={classes.actions} role="toolbar" aria-label="Email">
      <Button data-page-key="e" onClick={done}>
        Done
      </Button>
      <Button
        variant="default"
        data-page-key="s"
        aria-pressed={email.isStarred}
        onClick={() => triage.star([email], !email.isStarred)}
      >
        {email.isStarred ? 'Starred' : 'Star'}
      </Button>
      <Button variant="default" data-page-key="u" onClick={() => triage.markRead([email], !email.isRead)}>
        {email.isRead ? 'Mark as unread' : 'Mark as read'}
      </Button>
      <LabelMenu items={[email]} pageKey="l" set={(label, isOn) => triage.label([email], label, isOn)} />
      {folderType !== 'TRASH' && (
        <Button variant="default" data-page-key="#" onClick={trash}>
          Trash
        </Button>
      )}
      <Button variant="default" aria-expanded={isWhyShown} aria-controls="why" onClick={() => showWhy(!isWhyShown)}>
        Why is this here?
      </Button>
      {email.tags.map((tag) => (
        <LabelMark key={tag.id} label={tag} />
      ))}
    </div>
  );
}
