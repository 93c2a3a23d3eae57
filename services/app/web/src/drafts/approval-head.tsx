import type { ReactNode } from 'react';
import type { WholeApprovalAnswer } from '@postroom/app/answers';
import { Link } from 'wouter';
import { Moment } from '../time/moment.tsx';
import classes from './drafts.module.css';

export function ApprovalHead({ approval }: { approval: WholeApprovalAnswer }) {
  const { from, to, cc, bcc, subject, client, person, createdAt, expiresAt } = approval;
  return (
    <dl className={classes.head}>
      <Fact name="From">{from}</Fact>
      <Fact name="To">
        <Addresses of={to} />
      </Fact>
      {cc.length > 0 && (
        <Fact name="Cc">
          <Addresses of={cc} />
        </Fact>
      )}
      {bcc.length > 0 && (
        <Fact name="Bcc">
          <Addresses of={bcc} />
        </Fact>
      )}
      <Fact name="Subject">
        <strong className={classes.foreign}>{subject || 'No subject'}</strong>
      </Fact>
      <Fact name="Attachments">None</Fact>
      <Fact name="Asked by">
        <Link href="/people">
          <span className={classes.foreign}>{client.name}</span>
        </Link>
        {person && ` for ${person.name}`}, <Moment at={createdAt} />
      </Fact>
      <Fact name="Expires">
        <Moment at={expiresAt} />
      </Fact>
    </dl>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className={classes.fact}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Addresses({ of }: { of: readonly string[] }) {
  if (of.length === 0) return <span className="soft">Nobody</span>;
  return (
    <ul className={classes.addresses}>
      {of.map((address) => (
        <li key={address} className={classes.foreign}>
          {address}
        </li>
      ))}
    </ul>
  );
}
