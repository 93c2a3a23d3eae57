import type { DraftAnswer } from '@postroom/app/answers';
import { Button } from '@mantine/core';
import { Link } from 'wouter';
import { useIsAdmin } from '../api/session.ts';
import { Countdown } from './countdown.tsx';
import { HiddenTextWarning, HtmlSource } from './message-text.tsx';
import { recipientsText } from './recipients-text.ts';
import type { DraftActs } from './use-draft-acts.ts';
import classes from './drafts.module.css';

/** A draft in full. Everybody may stop and discard it; owners and admins also edit and send it. */
export function DraftItem({ draft, acts }: { draft: DraftAnswer; acts: DraftActs }) {
  const { id, from, subject, text, html, hidesText, attachmentCount, ruleId, sendAt, isLeaving } = draft;
  const title = subject.trim() || 'No subject';
  return (
    <li className={classes.draft} data-row tabIndex={-1} aria-label={title}>
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
      {hidesText && <HiddenTextWarning />}
      <pre className={classes.text} tabIndex={0} aria-label="Text">
        {text === null ? 'Its provider has the text, and cannot be asked for it now.' : text || 'No text'}
      </pre>
      {html !== null && <HtmlSource html={html} isOpen={hidesText} />}
      {isLeaving ? (
        <p role="status">It leaves now.</p>
      ) : (
        <Buttons draft={draft} acts={acts} isBusy={acts.busyId === id} isReply={sendAt !== null} />
      )}
    </li>
  );
}

interface ButtonsProps {
  draft: DraftAnswer;
  acts: DraftActs;
  isBusy: boolean;
  isReply: boolean;
}

function Buttons({ draft, acts, isBusy, isReply }: ButtonsProps) {
  const isAdmin = useIsAdmin();
  return (
    <div className="row">
      {draft.sendAt !== null && <Countdown to={draft.sendAt} />}
      {isAdmin && draft.attachmentCount === 0 && draft.text !== null && (
        <>
          <Button loading={isBusy} onClick={() => acts.send(draft)}>
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
