import { useState, type FormEvent } from 'react';
import { Button, Checkbox, TextInput } from '@mantine/core';
import type { KeyAnswer } from '@postroom/app/answers';
import { bounds } from '@postroom/contract/bounds';
import { call } from '../api/call.ts';
import { fieldFault, isShownBeside } from '../api/fault.ts';
import { useChange } from '../api/use-answer.ts';
import { FaultNote } from '../parts/fault-note.tsx';
import { dayOf, endOfDay } from '../time/relative.ts';

export interface MadeKey {
  key: KeyAnswer;
  secret: string;
}

interface Props {
  path: string;
  done(made: MadeKey): void;
  cancel(): void;
}

interface Permissions {
  read: boolean;
  write: boolean;
  send: boolean;
}

const FIELDS = ['name', 'scopes', 'allowOutboundSend', 'expiresAt'];

export function KeyForm({ path, done, cancel }: Props) {
  const [name, setName] = useState('');
  const [may, setMay] = useState<Permissions>({ read: true, write: false, send: false });
  const [expires, setExpires] = useState('');
  const making = useChange((body: object) => call<MadeKey>('POST', path, { body }), [path]);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    const scopes = (['read', 'write'] as const).filter((scope) => may[scope]);
    const body = {
      name: name.trim(),
      scopes,
      allowOutboundSend: may.send,
      ...(expires !== '' && { expiresAt: endOfDay(expires) }),
    };
    making.mutate(body, { onSuccess: done });
  };
  return (
    <form className="stack" onSubmit={submit}>
      {!isShownBeside(making.error, FIELDS) && <FaultNote error={making.error} />}
      <TextInput
        label="Name"
        placeholder="What uses it, such as ci or crm"
        required
        withAsterisk={false}
        maxLength={bounds.apiKeyName.max}
        data-autofocus
        value={name}
        error={fieldFault(making.error, 'name')}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <PermissionBoxes may={may} change={setMay} error={fieldFault(making.error, 'scopes')} />
      <TextInput
        label="Expires"
        description="At the end of that day in UTC; empty: never."
        type="date"
        min={dayOf(new Date())}
        value={expires}
        error={fieldFault(making.error, 'expiresAt')}
        onChange={(event) => setExpires(event.currentTarget.value)}
      />
      <div className="row-end">
        <Button variant="default" onClick={cancel}>
          Cancel
        </Button>
        <Button type="submit" loading={making.isPending} disabled={!may.read && !may.write}>
          Create key
        </Button>
      </div>
    </form>
  );
}

interface BoxesProps {
  may: Permissions;
  change(may: Permissions): void;
  error: string | undefined;
}

/** Sending needs `write`: one box sets the other. */
function PermissionBoxes({ may, change, error }: BoxesProps) {
  return (
    <Checkbox.Group label="May" error={error} value={Object.entries(may).flatMap(([name, is]) => (is ? [name] : []))}>
      <div className="stack" style={{ gap: 8, marginTop: 6 }}>
        <Checkbox
          value="read"
          label="Read"
          description="List, search and read emails, drafts, labels, views and rules."
          onChange={(event) => change({ ...may, read: event.currentTarget.checked })}
        />
        <Checkbox
          value="write"
          label="Write"
          description="Mark, label and trash emails; drafts, labels, views and rules."
          onChange={(event) =>
            change({ ...may, write: event.currentTarget.checked, send: may.send && event.currentTarget.checked })
          }
        />
        <Checkbox
          value="send"
          label="Send emails"
          description="Send in your name: at once, by forward rules and by automatic replies."
          onChange={(event) =>
            change({ ...may, send: event.currentTarget.checked, write: may.write || event.currentTarget.checked })
          }
        />
      </div>
    </Checkbox.Group>
  );
}
