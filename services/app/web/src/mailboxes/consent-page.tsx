import { useEffect } from 'react';
import { useLocation, useParams } from 'wouter';
import { usePresent } from '../api/session.ts';
import { storedConsentRequest } from './consent.ts';
import { ConsentDialog } from './consent-dialog.tsx';
import { MailboxesPage } from './mailboxes-page.tsx';

/** The provider of a mailbox sends the browser here. */
export function ConsentPage() {
  const [, go] = useLocation();
  const { provider = '' } = useParams();
  const { workspace, person, choose } = usePresent();
  const begun = storedConsentRequest();
  const other = begun && begun.workspaceId !== workspace.id ? begun.workspaceId : null;
  const isElsewhere = other !== null && person.memberships.some(({ workspaceId }) => workspaceId === other);
  useEffect(() => {
    if (isElsewhere && other !== null) choose(other);
  }, [isElsewhere, other, choose]);
  const request = begun?.provider === provider ? begun : { provider };
  return (
    <>
      <MailboxesPage />
      {!isElsewhere && (
        <ConsentDialog
          request={{ ...request, workspaceId: workspace.id }}
          close={() => go('/mailboxes', { replace: true })}
        />
      )}
    </>
  );
}
