import { useEffect, useState, type FormEvent, type ReactNode } from 'react';
import { Button, TextInput } from '@mantine/core';
import type { SignedInAnswer } from '@postroom/app/answers';
import { Redirect, useSearchParams } from 'wouter';
import { call } from '../api/call.ts';
import { forgetAnswers, usePresentSession } from '../api/session.ts';
import { FaultNote } from '../parts/fault-note.tsx';
import { Page } from '../parts/page.tsx';
import { leaveForProvider } from './oidc.ts';
import { canUsePasskeys, signInByDevice } from './passkeys.ts';
import classes from './sign-in.module.css';

export function SignInPage() {
  const { data } = usePresentSession();
  const [params] = useSearchParams();
  const [isBusy, setBusy] = useState(false);
  const [fault, setFault] = useState<unknown>(null);
  const next = params.get('next');
  if (data?.person && next !== null && CONSENT.test(next)) return <Leave to={next} />;
  if (data?.person) return <Redirect to={pathWithin(next)} replace />;

  const signIn = async (run: () => Promise<SignedInAnswer>) => {
    setBusy(true);
    setFault(null);
    await run().then(forgetAnswers).catch(setFault);
    setBusy(false);
  };
  return (
    <main className="lone">
      <Brand />
      <Page title="Sign in">
        <FaultNote error={fault} />
        <PasswordForm isBusy={isBusy} submit={(body) => void signIn(() => call('POST', '/session', { body }))} />
        {(canUsePasskeys() || data?.oidcName) && <p className={classes.or}>or</p>}
        <div className="stack">
          {data?.oidcName && (
            <OtherWay isBusy={isBusy} onClick={() => void signIn(() => leaveForProvider(next))}>
              Sign in with {data.oidcName}
            </OtherWay>
          )}
          {canUsePasskeys() && (
            <OtherWay isBusy={isBusy} onClick={() => void signIn(signInByDevice)}>
              Sign in with a passkey
            </OtherWay>
          )}
        </div>
        <p className={classes.help}>
          No way in? An owner of your workspace can invite you; an operator can make a link that signs you in.
        </p>
      </Page>
    </main>
  );
}

interface OtherWayProps {
  isBusy: boolean;
  onClick(): void;
  children: ReactNode;
}

function OtherWay({ isBusy, onClick, children }: OtherWayProps) {
  return (
    <Button fullWidth size="sm" variant="default" disabled={isBusy} onClick={onClick}>
      {children}
    </Button>
  );
}

/** The question of an OAuth client is a page of its own, outside of these pages. */
const CONSENT = /^\/oauth\/consent\/[\w-]+$/;

function Leave({ to }: { to: string }) {
  useEffect(() => window.location.replace(to), [to]);
  return null;
}

interface FormProps {
  isBusy: boolean;
  submit(body: { email: string; password: string }): void;
}

function PasswordForm({ isBusy, submit }: FormProps) {
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const send = (event: FormEvent) => {
    event.preventDefault();
    submit({ email: email.trim(), password });
  };
  return (
    <form className="stack" onSubmit={send}>
      <TextInput
        label="Email"
        type="email"
        autoComplete="username"
        required
        withAsterisk={false}
        autoFocus
        value={email}
        onChange={(event) => setEmail(event.currentTarget.value)}
      />
      <TextInput
        label="Password"
        type="password"
        autoComplete="current-password"
        required
        withAsterisk={false}
        value={password}
        onChange={(event) => setPassword(event.currentTarget.value)}
      />
      <Button type="submit" size="sm" loading={isBusy}>
        Sign in
      </Button>
    </form>
  );
}

export function Brand() {
  return (
    <p className={classes.brand}>
      <span className={classes.mark} aria-hidden />
      Postroom
    </p>
  );
}

/** Only an address of this app is opened after the sign-in. */
function pathWithin(next: string | null): string {
  return next !== null && /^\/(?![/\\])/.test(next) ? next : '/';
}
