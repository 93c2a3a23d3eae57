import { useState, type FormEvent } from 'react';
import { Modal, TextInput } from '@mantine/core';
import type { InvitationAnswer } from '@postroom/app/answers';
import type { Role } from '@postroom/contract/roles';
import { call } from '../api/call.ts';
import { fieldFault, isShownBeside } from '../api/fault.ts';
import { usePresent } from '../api/session.ts';
import { useChange } from '../api/use-answer.ts';
import { FaultNote } from '../parts/fault-note.tsx';
import { SecretOnce } from '../parts/secret-once.tsx';
import { SelectField } from '../parts/select-field.tsx';
import { rolesUpTo } from './role-names.ts';
import { DialogButtons } from '../parts/dialog-buttons.tsx';

interface Invited {
  invitation: InvitationAnswer;
  link: string;
}

/** The link is for one person; it is shown once, and sent by whoever invites. */
export function InviteDialog({ path, close }: { path: string; close(): void }) {
  const { workspace } = usePresent();
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<Role>('member');
  const inviting = useChange((body: object) => call<Invited>('POST', path, { body }), [path]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    inviting.mutate({ email: email.trim(), role });
  };
  const { data: invited, error } = inviting;
  if (invited) {
    return (
      <Modal opened onClose={close} title={`${invited.invitation.email} is invited`} closeOnClickOutside={false}>
        <SecretOnce
          label="Invitation link"
          secret={invited.link}
          advice="Send them this link. It works once, and is not shown again."
          done={close}
        />
      </Modal>
    );
  }
  return (
    <Modal opened onClose={close} title={`Invite to ${workspace.name}`}>
      <form className="stack" onSubmit={submit}>
        {!isShownBeside(error, ['email', 'role']) && <FaultNote error={error} />}
        <TextInput
          label="Email"
          type="email"
          required
          withAsterisk={false}
          data-autofocus
          value={email}
          error={fieldFault(error, 'email')}
          onChange={(event) => setEmail(event.currentTarget.value)}
        />
        <SelectField
          label="Role"
          description="Members read and sort mail. Admins and owners also connect, create and invite."
          value={role}
          options={rolesUpTo(workspace.role)}
          change={(chosen) => setRole(chosen)}
        />
        <DialogButtons close={close} isPending={inviting.isPending} submit="Invite" />
      </form>
    </Modal>
  );
}
