import { useState } from 'react';
import { UnstyledButton } from '@mantine/core';
import type { PersonInMail, ReadingAnswer, ThreadEmailAnswer } from '@postroom/app/answers';
import { useWorkspacePath } from '../api/session.ts';
import { useAnswer } from '../api/use-answer.ts';
import { Answer } from '../parts/answer.tsx';
import { Badge } from '../parts/badge.tsx';
import { Moment } from '../time/moment.tsx';
import { Attachments } from './attachments.tsx';
import { EmailBody } from './email-body.tsx';
import classes from './email.module.css';
import { nameOf, withAddress } from './mail-words.ts';

/** An email of a thread: its head, and its body once it is open. */
export function ThreadEmail({ email, isOpenedFirst }: { email: ThreadEmailAnswer; isOpenedFirst: boolean }) {
  const [isOpen, setOpen] = useState(isOpenedFirst);
  const { from, date, snippet, isRead } = email;
  return (
    <article className={classes.email} aria-label={`From ${nameOf(from)}`}>
      <UnstyledButton className={classes.head} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <span className={classes.sender} data-unread={!isRead || undefined}>
          {isOpen ? withAddress(from) : nameOf(from)}
        </span>
        {!isOpen && <span className={classes.snippet}>{snippet}</span>}
        <Moment at={date} />
      </UnstyledButton>
      {isOpen && <Open email={email} />}
    </article>
  );
}

function Open({ email }: { email: ThreadEmailAnswer }) {
  const { id, to, cc, attachments } = email;
  const path = useWorkspacePath()(`/emails/${encodeURIComponent(id)}`);
  const reading = useAnswer<ReadingAnswer>(`${path}/reading`);
  return (
    <div className={classes.open}>
      <p className={classes.people}>
        <People name="To" of={to} /> <People name="Cc" of={cc} />
        {reading.data?.authentication?.dmarc === 'fail' && <Badge tone="warn">The sender is not proven</Badge>}
      </p>
      <Answer of={reading} rows={4}>
        {(found) => <EmailBody key={id} path={path} reading={found} />}
      </Answer>
      {attachments.length > 0 && <Attachments of={attachments} path={path} keptBy={reading.data?.keptBy} />}
    </div>
  );
}

const MOST_PEOPLE = 20;

function People({ name, of }: { name: string; of: readonly PersonInMail[] }) {
  if (of.length === 0) return null;
  const rest = of.length - MOST_PEOPLE;
  return (
    <span>
      {name} {of.slice(0, MOST_PEOPLE).map(withAddress).join(', ')}
      {rest > 0 && ` and ${rest} more`}
    </span>
  );
}
