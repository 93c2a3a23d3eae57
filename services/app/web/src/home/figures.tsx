import type { ReactNode } from 'react';
import type { HomeAnswer } from '@postroom/app/answers';
import { Link } from 'wouter';
import { capitalized } from '../parts/capitalized.ts';
import { Moment } from '../time/moment.tsx';
import { durationOf } from './attention.ts';
import classes from './home.module.css';

export function Figures({ home: { mailboxes, replies, limits, backfills } }: { home: HomeAnswer }) {
  const { month, minute } = limits;
  return (
    <dl className={classes.figures}>
      <Figure name="Mailboxes" value={mailboxes.total} href="/mailboxes">
        {mailboxes.failing.length === 0 ? 'All synchronized' : `${mailboxes.failing.length} not synchronized`}
      </Figure>
      <Figure name="Lag of mail" value={mailboxes.lagSeconds === null ? '–' : durationOf(mailboxes.lagSeconds)}>
        Of the mailbox furthest behind
      </Figure>
      <Figure name="Calls left this month" value={(month.limit - month.used).toLocaleString('en')}>
        Of {month.limit.toLocaleString('en')}
        {month.resetsAt && (
          <>
            ; resets <Moment at={month.resetsAt} />
          </>
        )}
      </Figure>
      <Figure
        name="Calls this minute"
        value={`${minute.used.toLocaleString('en')} of ${minute.limit.toLocaleString('en')}`}
      >
        Plan {capitalized(limits.plan)}
      </Figure>
      <Figure name="Replies" value={replies.waiting}>
        Wait to be sent; {replies.drafts.toLocaleString('en')} drafts by rules
      </Figure>
      {backfills.running > 0 && (
        <Figure name="Backfills" value={backfills.running} href="/rules">
          Running now
        </Figure>
      )}
    </dl>
  );
}

function Figure({
  name,
  value,
  href,
  children,
}: {
  name: string;
  value: ReactNode;
  href?: string;
  children: ReactNode;
}) {
  return (
    <div className={classes.figure}>
      <dt>{href ? <Link href={href}>{name}</Link> : name}</dt>
      <dd className={classes.value}>{value}</dd>
      <dd className={classes.note}>{children}</dd>
    </div>
  );
}
