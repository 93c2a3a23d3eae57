import { useIsAdmin } from '../api/session.ts';
import { Page } from '../parts/page.tsx';
import { Account } from './account.tsx';
import { Clients } from './clients.tsx';
import { Invitations } from './invitations.tsx';
import { Members } from './members.tsx';
import { Passkeys } from './passkeys-section.tsx';
import { Sessions } from './sessions.tsx';

export function PeoplePage() {
  const isAdmin = useIsAdmin();
  return (
    <Page title="People" intro="Members of the workspace, the agents that they let in, and your own account.">
      <Members />
      {isAdmin && <Invitations />}
      <Clients />
      <Account />
      <Passkeys />
      <Sessions />
    </Page>
  );
}
