import { Suspense } from 'react';
import { Redirect, Route, Switch, useLocation } from 'wouter';
import { PresentContext, usePresentSession } from './api/session.ts';
import { useChosenWorkspace } from './api/chosen-workspace.ts';
import { Nowhere } from './shell/nowhere.tsx';
import { pages } from './shell/pages.ts';
import { Shell } from './shell/shell.tsx';
import { LinkPage } from './sign-in/link-page.tsx';
import { ReturnPage } from './sign-in/return-page.tsx';
import { SignInPage } from './sign-in/sign-in-page.tsx';
import { FaultBoundary } from './parts/fault-boundary.tsx';
import { FaultNote } from './parts/fault-note.tsx';
import { PageSkeleton } from './parts/skeletons.tsx';

export function Routes() {
  return (
    <Switch>
      <Route path="/sign-in" component={SignInPage} />
      <Route path="/sign-in/return" component={ReturnPage} />
      <Route path="/link" component={LinkPage} />
      <Route component={SignedInRoutes} />
    </Switch>
  );
}

function SignedInRoutes() {
  const [location] = useLocation();
  const { data, error, refetch } = usePresentSession();
  const { membership, choose } = useChosenWorkspace(data?.person);
  if (error) return <FaultNote error={error} retry={() => void refetch()} isPage />;
  if (!data) return <PageSkeleton />;
  if (!data.person) return <Redirect to={signInFrom(location)} />;
  if (!membership) return <Nowhere person={data.person} />;
  const { workspaceId: id, workspaceName: name, role } = membership;
  const { person, session, features, apiUrl } = data;
  return (
    <PresentContext value={{ person, session, features, apiUrl, workspace: { id, name, role }, choose }}>
      <Shell key={id}>
        <FaultBoundary key={location}>
          <Suspense fallback={<PageSkeleton />}>
            <Switch>
              {pages.map(({ path, component }) => (
                <Route key={path} path={path} component={component} />
              ))}
              <Route>
                <Nowhere />
              </Route>
            </Switch>
          </Suspense>
        </FaultBoundary>
      </Shell>
    </PresentContext>
  );
}

/** The address that was asked for is opened after the sign-in. */
function signInFrom(location: string): string {
  const asked = location + window.location.search;
  return asked === '/' ? '/sign-in' : `/sign-in?next=${encodeURIComponent(asked)}`;
}
