import { useState, type FormEvent } from 'react';
import { Button, Modal, TextInput } from '@mantine/core';
import { call } from '../api/call.ts';
import { fieldFault, isShownBeside } from '../api/fault.ts';
import { usePresent, useWorkspacePath } from '../api/session.ts';
import { SESSION_PATH, useChange } from '../api/use-answer.ts';
import { FaultNote } from '../parts/fault-note.tsx';
import { Section } from '../parts/page.tsx';
import { say } from '../parts/toasts.tsx';
import { SetPassword } from '../sign-in/set-password.tsx';
import { useUrlState } from '../url/url-state.ts';
import classes from './people.module.css';

export function Account() {
  const { person } = usePresent();
  const [{ dialog }, change] = useUrlState(['dialog']);
  const close = () => change({ dialog: null });
  return (
    <Section title="Your account" intro={person.email}>
      <div className={classes.account}>
        <NameForm name={person.name} />
        <div className={classes.password}>
          <span>Password</span>
          <Button variant="default" onClick={() => change({ dialog: 'password' })}>
            {person.hasPassword ? 'Change password' : 'Set password'}
          </Button>
        </div>
      </div>
      <Modal opened={dialog === 'password'} onClose={close} title="Your password">
        <SetPassword hasPassword={person.hasPassword} done={close} />
      </Modal>
    </Section>
  );
}

function NameForm({ name }: { name: string }) {
  const [value, setValue] = useState(name);
  const members = useWorkspacePath()('/members');
  const renaming = useChange(
    () => call('PATCH', '/account', { body: { name: value.trim() } }),
    [SESSION_PATH, members],
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    renaming.mutate(undefined, { onSuccess: () => say('Name saved') });
  };
  return (
    <form className={classes.name} onSubmit={submit}>
      {!isShownBeside(renaming.error, ['name']) && <FaultNote error={renaming.error} />}
      <TextInput
        label="Your name"
        required
        withAsterisk={false}
        autoComplete="name"
        value={value}
        error={fieldFault(renaming.error, 'name')}
        onChange={(event) => setValue(event.currentTarget.value)}
      />
      <Button type="submit" size="sm" variant="default" disabled={value.trim() === name} loading={renaming.isPending}>
        Save
      </Button>
    </form>
  );
}
