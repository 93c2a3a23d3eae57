import { Button } from '@mantine/core';
import type { HomeAnswer } from '@postroom/app/answers';
import { Link } from 'wouter';
import { useIsAdmin, usePresent, useWorkspacePath } from '../api/session.ts';
import { useAnswer } from '../api/use-answer.ts';
import { Answer } from '../parts/answer.tsx';
import { EmptyState } from '../parts/empty-state.tsx';
import { Page, Section } from '../parts/page.tsx';
import { attentionOf } from './attention.ts';
import { AttentionList } from './attention-list.tsx';
import { Figures } from './figures.tsx';

const LIVE_MS = 10_000;

export function HomePage() {
  const { workspace } = usePresent();
  const path = useWorkspacePath()('/home');
  const answer = useAnswer<HomeAnswer>(path, { everyMs: LIVE_MS });
  return (
    <Page title="Home" intro={`How ${workspace.name} is doing.`}>
      <Answer of={answer}>{(home) => (home.mailboxes.total === 0 ? <Beginning /> : <State home={home} />)}</Answer>
    </Page>
  );
}

function State({ home }: { home: HomeAnswer }) {
  const { workspace } = usePresent();
  const items = attentionOf(home, workspace.id);
  return (
    <>
      <Figures home={home} />
      <Section title="Needs attention">
        {items.length === 0 ? (
          <p className="soft">Nothing: all mailboxes are synchronized.</p>
        ) : (
          <AttentionList items={items} />
        )}
      </Section>
    </>
  );
}

function Beginning() {
  const isAdmin = useIsAdmin();
  return (
    <EmptyState
      title="No mailbox yet"
      text={
        isAdmin
          ? 'Everything begins with a mailbox: its mail is listed, searched and sorted from then on.'
          : 'An owner or an admin connects the first one. Its mail is here from then on.'
      }
      action={
        isAdmin && (
          <Button component={Link} href="/mailboxes?dialog=connect">
            Connect mailbox
          </Button>
        )
      }
    />
  );
}
