import { useEffect, useRef, useState } from 'react';
import { Button } from '@mantine/core';
import type { LinkAnswer, PersonAnswer } from '@postroom/app/answers';
import { Link, useLocation } from 'wouter';
import { call } from '../api/call.ts';
import { AppFault } from '../api/fault.ts';
import { forgetAnswers, usePresentSession } from '../api/session.ts';
import { EmptyState } from '../parts/empty-state.tsx';
import { FaultNote } from '../parts/fault-note.tsx';
import { Page } from '../parts/page.tsx';
import { PageSkeleton } from '../parts/skeletons.tsx';
import { signOut } from '../shell/sign-out.ts';
import { AddPasskey } from './add-passkey.tsx';
import { tokenOfLink } from './link-token.ts';
import { Brand } from './sign-in-page.tsx';
import { SetPassword } from './set-password.tsx';
import classes from './sign-in.module.css';

type State =
  | { at: 'reading' }
  | { at: 'asking'; link: LinkAnswer; person: PersonAnswer }
  | { at: 'needsSignIn'; link: LinkAnswer }
  | { at: 'accepted'; link: LinkAnswer; person: PersonAnswer }
  | { at: 'refused'; error: unknown };

/** Opened by a link of an invitation or of a sign-in, whose token stands behind the `#`, where no server log sees it. */
export function LinkPage() {
  const session = usePresentSession();
  const [state, setState] = useState<State>({ at: 'reading' });
  const [token] = useState(tokenOfLink);
  const begun = useRef(false);

  const accept = (link: LinkAnswer): void => {
    void acceptLink(token, link).then(setState, refused(setState));
  };
  useEffect(() => {
    if (begun.current || session.data === undefined) return;
    begun.current = true;
    read(token, session.data.person).then(setState, refused(setState));
  }, [session.data, token]);

  return (
    <main className="lone">
      <Brand />
      <LinkState state={state} accept={accept} error={session.error} />
    </main>
  );
}

const refused = (setState: (state: State) => void) => (error: unknown) => setState({ at: 'refused', error });

/** A link is used at once, unless that would end another person's session. */
async function read(token: string, person: PersonAnswer | null): Promise<State> {
  const { link } = await call<{ link: LinkAnswer }>('POST', '/links/read', { body: { token } });
  const isOwn = person?.email.toLowerCase() === link.email.toLowerCase();
  if (person && !isOwn) return { at: 'asking', link, person };
  if (isOwn && link.kind === 'invitation') return acceptBy('/invitations/accept', token, link);
  return acceptLink(token, link);
}

/** Only its use tells that the address of an invitation has an account, and not what anybody may read before. */
async function acceptLink(token: string, link: LinkAnswer): Promise<State> {
  try {
    return await acceptBy('/links/accept', token, link);
  } catch (error) {
    if (error instanceof AppFault && error.code === 'SIGN_IN_FIRST') return { at: 'needsSignIn', link };
    throw error;
  }
}

async function acceptBy(path: string, token: string, link: LinkAnswer): Promise<State> {
  const { person } = await call<{ person: PersonAnswer }>('POST', path, { body: { token } });
  await forgetAnswers();
  return { at: 'accepted', link, person };
}

function LinkState({ state, accept, error }: { state: State; accept(link: LinkAnswer): void; error: unknown }) {
  if (error) return <FaultNote error={error} />;
  if (state.at === 'reading') return <PageSkeleton />;
  if (state.at === 'refused') return <Refused error={state.error} />;
  if (state.at === 'accepted') return <Accepted link={state.link} person={state.person} />;
  if (state.at === 'needsSignIn') return <NeedsSignIn link={state.link} />;
  return (
    <Page title="Change account?">
      <p className="soft">
        You are signed in as {state.person.email}. This link is for {state.link.email}, and ends your present session.
      </p>
      <div className="row">
        <Button mt={16} onClick={() => accept(state.link)}>
          Continue as {state.link.email}
        </Button>
        <Button mt={16} variant="default" component={Link} href="/">
          Stay signed in
        </Button>
      </div>
    </Page>
  );
}

function NeedsSignIn({ link }: { link: LinkAnswer }) {
  const [, go] = useLocation();
  // A session of another account would lead past the page of sign-in.
  const signIn = () => signOut().then(() => go(`/sign-in?next=${encodeURIComponent(`/link${location.hash}`)}`));
  return (
    <Page title="Sign in to accept">
      <p className="soft">
        {link.email} has an account already. Sign in with it, and open this link again: it stays valid.
      </p>
      <Button mt={16} onClick={() => void signIn()}>
        Sign in
      </Button>
    </Page>
  );
}

function Accepted({ link, person }: { link: LinkAnswer; person: PersonAnswer }) {
  const [, go] = useLocation();
  const [hasPassword, setHasPassword] = useState(person.hasPassword);
  const title = link.kind === 'invitation' ? `Welcome to ${link.workspaceName ?? 'Postroom'}` : 'You are signed in';
  return (
    <Page title={title} intro="The link has done its work. Choose how you sign in from now on.">
      <div className={classes.choices}>
        <SetPassword hasPassword={hasPassword} done={() => setHasPassword(true)} />
        <AddPasskey />
        <Button size="sm" variant="default" onClick={() => go('/')}>
          Continue
        </Button>
      </div>
    </Page>
  );
}

function Refused({ error }: { error: unknown }) {
  if (error instanceof AppFault && error.code !== 'LINK_NOT_VALID') return <RefusedPage error={error} />;
  return (
    <Page title="This link is not valid">
      <EmptyState
        title="It was used already, or its time is over"
        text="A link works once. Ask for a new one, or sign in."
        action={
          <Button component={Link} href="/sign-in">
            Go to sign-in
          </Button>
        }
      />
    </Page>
  );
}

function RefusedPage({ error }: { error: AppFault }) {
  return (
    <Page title="The link was not opened">
      <FaultNote error={error} retry={() => location.reload()} />
    </Page>
  );
}
