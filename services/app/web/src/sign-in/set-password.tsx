import { useState, type FormEvent } from 'react';
import { Button, TextInput } from '@mantine/core';
import { call } from '../api/call.ts';
import { fieldFault, isShownBeside } from '../api/fault.ts';
import { forgetAnswers } from '../api/session.ts';
import { FaultNote } from '../parts/fault-note.tsx';
import { say } from '../parts/toasts.tsx';

const SHORTEST = 10;

/** Sets or changes one's own password; every other session of the person ends. */
export function SetPassword({ hasPassword, done }: { hasPassword: boolean; done?(): void }) {
  const [password, setPassword] = useState('');
  const [current, setCurrent] = useState('');
  const { set, isBusy, fault } = usePasswordChange();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    set({ password, ...(hasPassword && { currentPassword: current }) }, async () => {
      setPassword('');
      setCurrent('');
      say('Password set');
      await forgetAnswers();
      done?.();
    });
  };
  const beside = ['password', 'currentPassword'];
  return (
    <form className="stack" onSubmit={submit}>
      {!isShownBeside(fault, beside) && <FaultNote error={fault} />}
      {hasPassword && (
        <TextInput
          label="Current password"
          type="password"
          autoComplete="current-password"
          required
          withAsterisk={false}
          value={current}
          error={fieldFault(fault, 'currentPassword')}
          onChange={(event) => setCurrent(event.currentTarget.value)}
        />
      )}
      <TextInput
        label={hasPassword ? 'New password' : 'Password'}
        description={`At least ${SHORTEST} characters. A sentence that only you would say is a good one.`}
        type="password"
        autoComplete="new-password"
        minLength={SHORTEST}
        required
        withAsterisk={false}
        value={password}
        error={fieldFault(fault, 'password')}
        onChange={(event) => setPassword(event.currentTarget.value)}
      />
      <div>
        <Button type="submit" loading={isBusy}>
          Set password
        </Button>
      </div>
    </form>
  );
}

function usePasswordChange() {
  const [fault, setFault] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const set = (body: { password: string; currentPassword?: string }, done: () => Promise<void>) => {
    setBusy(true);
    setFault(null);
    void call('PUT', '/account/password', { body })
      .then(done)
      .catch(setFault)
      .finally(() => setBusy(false));
  };
  return { set, isBusy, fault };
}
