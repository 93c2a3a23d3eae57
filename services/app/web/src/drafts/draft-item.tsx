import type { DraftAnswer, DraftRowAnswer } from '@postroom/app/answers';
import { Button } from '@mantine/core';
import { Link } from 'wouter';
import { useIsAdmin } from '../api/session.ts';
import { Countdown } from './countdown.tsx';
import { HiddenTextWarning, HtmlSource } from './message-text.tsx';
import { maySend } from './may-send.ts';
import { recipientsText } from './recipients-text.ts';
import type { DraftActs } from './use-draft-acts.ts';
import { useDraftText } from './use-draft-text.ts';
import classes from './drafts.module.css';

/** A draft in full. Everybody may stop and discard it; owners and admins also edit and send it. */
export function DraftItem({ draft, acts }: { draft: DraftRowAnswer; acts: DraftActs }) {
  const { id, from, subject, snippet, attachmentCount, ruleId, sendAt, isLeaving } = draft;
  const { row, opened, isError, read } = useDraftText(draft);
  const title = subject.trim() || 'No subject';
  return (
    <li ref={row} className={classes.draft} data-row tabIndex={-1} aria-label={title}>
      <p>
        <strong className={classes.foreign}>{title}</strong>
      </p>
      <p className="soft">
        <span className={classes.foreign}>
          From {from} to {recipientsText(draft) || 'nobody yet'}
        </span>
        {ruleId !== null && (
          <>
            , by <Link href={`/rules/${ruleId}`}>this rule</Link>
          </>
        )}
        {attachmentCount > 0 && `, with ${attachmentCount === 1 ? 'an attachment' : `${attachmentCount} attachments`}`}
      </p>
      {opened ? <WholeText of={opened} /> : <Beginning text={snippet} isUnreadable={isError} retry={read} />}
      {isLeaving ? (
        <p role="status">It leaves now.</p>
      ) : (
        <Buttons
          draft={draft}
          acts={acts}
          isShown={maySend(draft, opened)}
          isBusy={acts.busyId === id}
          isReply={sendAt !== null}
          isReadable={!isError}
        />
      )}
    </li>
  );
}

function WholeText({ of: { text, html, hidesText } }: { of: DraftAnswer }) {
  return (
    <>
      {hidesText && <HiddenTextWarning />}
      <pre className={classes.text} tabIndex={0} aria-label="Text">
        {text || 'No text'}
      </pre>
      {html !== null && <HtmlSource html={html} isOpen={hidesText} />}
    </>
  );
}

interface BeginningProps {
  text: string;
  isUnreadable: boolean;
  retry(): Promise<unknown>;
}

/** The first words of a text that is not read yet, or that cannot be read now. */
function Beginning({ text, isUnreadable, retry }: BeginningProps) {
  return (
    <>
      <pre className={classes.text} aria-busy={!isUnreadable}>
        {text || ' '}
      </pre>
      {isUnreadable && (
        <div className="row">
          <span className="soft">This is the beginning of the text. The rest cannot be read now.</span>
          <Button variant="default" onClick={() => void retry()}>
            Try again
          </Button>
        </div>
      )}
    </>
  );
}

interface ButtonsProps {
  draft: DraftRowAnswer;
  acts: DraftActs;
  /** Whether its whole text is on the screen. */
  isShown: boolean;
  isBusy: boolean;
  isReply: boolean;
  isReadable: boolean;
}

function Buttons({ draft, acts, isShown, isBusy, isReply, isReadable }: ButtonsProps) {
  const isAdmin = useIsAdmin();
  return (
    <div className="row">
      {draft.sendAt !== null && <Countdown to={draft.sendAt} />}
      {isAdmin && draft.attachmentCount === 0 && isReadable && (
        <>
          <Button loading={isBusy} disabled={!isShown} onClick={() => acts.send(draft)}>
            Send now
          </Button>
          <Button variant="default" data-row-key="Enter" disabled={isBusy} onClick={() => acts.edit(draft)}>
            Edit
          </Button>
        </>
      )}
      {isReply && (
        <Button variant="default" disabled={isBusy} onClick={() => acts.cancel(draft)}>
          Cancel
        </Button>
      )}
      <Button variant="default" data-row-key="#" disabled={isBusy} onClick={() => acts.discard(draft)}>
        Discard
      </Button>
      {draft.attachmentCount > 0 && <span className="soft">A mail program sends drafts with attachments.</span>}
    </div>
  );
}
