import type { ApprovalAnswer, ListOf } from '@postroom/app/answers';
import { Button } from '@mantine/core';
import { Link } from 'wouter';
import { useWorkspacePath } from '../api/session.ts';
import { useAnswer } from '../api/use-answer.ts';
import { Answer } from '../parts/answer.tsx';
import { DataTable, type Column } from '../parts/data-table.tsx';
import { EmptyState } from '../parts/empty-state.tsx';
import { Page, Section } from '../parts/page.tsx';
import { Moment } from '../time/moment.tsx';
import { DraftsSections } from './drafts-sections.tsx';
import { recipientsText } from './recipients-text.ts';
import classes from './drafts.module.css';

const LIVE_MS = 10_000;
const pageOf = ({ id }: ApprovalAnswer): string => `/drafts/${encodeURIComponent(id)}`;

const COLUMNS: readonly Column<ApprovalAnswer>[] = [
  {
    name: 'Subject',
    cell: (approval) => (
      <span className="two">
        <Link href={pageOf(approval)}>
          <strong className={classes.foreign}>{approval.subject || 'No subject'}</strong>
        </Link>
        <span className="soft">from {approval.from}</span>
      </span>
    ),
  },
  { name: 'To', cell: (approval) => <span className={classes.foreign}>{recipientsText(approval)}</span> },
  {
    name: 'Asked by',
    cell: ({ client, person }) => (
      <span className="two">
        <span className={classes.foreign}>{client.name}</span>
        {person && <span className="soft">for {person.name}</span>}
      </span>
    ),
  },
  { name: 'Asked', cell: ({ createdAt }) => <Moment at={createdAt} /> },
  { name: 'Expires', cell: ({ expiresAt }) => <Moment at={expiresAt} /> },
  {
    name: 'Actions',
    isNameless: true,
    isAtEnd: true,
    cell: (approval) => (
      <Button variant="default" data-row-key="Enter" component={Link} href={pageOf(approval)}>
        Review
      </Button>
    ),
  },
];

export function DraftsPage() {
  const path = useWorkspacePath()('/approvals');
  const answer = useAnswer<ListOf<ApprovalAnswer>>(path, { everyMs: LIVE_MS });
  return (
    <Page
      title="Drafts"
      intro="Messages of agents leave after a person has read them, replies of rules unless a person stops them."
    >
      <Section title="Waiting for approval">
        <Answer of={answer} rows={3}>
          {({ items }) =>
            items.length === 0 ? (
              <EmptyState
                title="Nothing waits for you"
                text="An MCP client with the level “Send after approval” asks here before each message."
                action={
                  <Button component={Link} variant="default" href="/people">
                    See MCP clients
                  </Button>
                }
              />
            ) : (
              <DataTable label="Waiting for approval" columns={COLUMNS} items={items} keyOf={({ id }) => id} />
            )
          }
        </Answer>
      </Section>
      <DraftsSections askedFor={new Set(answer.data?.items.map(({ draftId }) => draftId))} />
    </Page>
  );
}
