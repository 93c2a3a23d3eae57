import { useEffect, useRef, useState } from 'react';
import { Button } from '@mantine/core';
import { Link, useLocation } from 'wouter';
import { forgetAnswers } from '../api/session.ts';
import { FaultNote } from '../parts/fault-note.tsx';
import { Page } from '../parts/page.tsx';
import { PageSkeleton } from '../parts/skeletons.tsx';
import { returnFromProvider } from './oidc.ts';
import { Brand } from './sign-in-page.tsx';

/** The OpenID Connect provider sends the browser here. */
export function ReturnPage() {
  const [, go] = useLocation();
  const [fault, setFault] = useState<unknown>(null);
  const begun = useRef(false);
  useEffect(() => {
    if (begun.current) return;
    begun.current = true;
    returnFromProvider()
      .then(async (next) => {
        await forgetAnswers();
        go(next === null ? '/sign-in' : `/sign-in?next=${encodeURIComponent(next)}`, { replace: true });
      })
      .catch(setFault);
  }, [go]);
  return (
    <main className="lone">
      <Brand />
      {fault === null ? (
        <PageSkeleton />
      ) : (
        <Page title="You are not signed in">
          <FaultNote error={fault} />
          <Button mt={16} component={Link} href="/sign-in">
            Go to sign-in
          </Button>
        </Page>
      )}
    </main>
  );
}
