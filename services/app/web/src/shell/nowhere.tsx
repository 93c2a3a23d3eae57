import { Button } from '@mantine/core';
import type { PersonAnswer } from '@postroom/app/answers';
import { Link } from 'wouter';
import { EmptyState } from '../parts/empty-state.tsx';
import { Page } from '../parts/page.tsx';
import { signOut } from './sign-out.ts';

/** An address that no page has; for a person without a workspace, every address. */
export function Nowhere({ person }: { person?: PersonAnswer }) {
  if (person) {
    return (
      <main className="lone">
        <Page title="No workspace">
          <EmptyState
            title="You are in no workspace"
            text={`Ask an owner to invite ${person.email}, and open the link that they send.`}
            action={<Button onClick={() => void signOut()}>Sign out</Button>}
          />
        </Page>
      </main>
    );
  }
  return (
    <Page title="Page not found">
      <EmptyState
        title="Nothing is at this address"
        text="The address may be mistyped, or what it showed is gone."
        action={
          <Button component={Link} href="/">
            Go to Home
          </Button>
        }
      />
    </Page>
  );
}
