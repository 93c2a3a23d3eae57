import { useState, type FormEvent } from 'react';
import { Button, Textarea, TextInput } from '@mantine/core';
import type { DraftAnswer } from '@postroom/app/answers';
import { useLocation } from 'wouter';
import { call } from '../api/call.ts';
import { useWorkspacePath } from '../api/session.ts';
import { useChange } from '../api/use-answer.ts';
import { FaultNote } from '../parts/fault-note.tsx';
import { say } from '../parts/toasts.tsx';
import { readAddresses, withoutName } from './address-list.ts';
import { sendAsShown } from './use-draft-acts.ts';
import classes from './drafts.module.css';

const ADDRESSES = ['to', 'cc', 'bcc'] as const;
const NAMES = { to: 'To', cc: 'Cc', bcc: 'Bcc' } as const;

type Fields = Record<(typeof ADDRESSES)[number] | 'subject' | 'text', string>;

const fieldsOf = ({ to, cc, bcc, subject, text }: DraftAnswer): Fields => {
  const written = (addresses: readonly string[]) => addresses.map(withoutName).join(', ');
  return { to: written(to), cc: written(cc), bcc: written(bcc), subject, text };
};

const faultIn = (fields: Fields, name: (typeof ADDRESSES)[number]) => addressFault(fields[name], name === 'to');

/** Saves as another draft in the place of this one, and sends that one. */
function useDraftEdit(opened: DraftAnswer) {
  const inWorkspace = useWorkspacePath();
  const drafts = inWorkspace('/drafts');
  const [, go] = useLocation();
  const [stored, setStored] = useState(opened);
  const [fields, setFields] = useState(() => fieldsOf(opened));
  const before = fieldsOf(stored);
  const isChanged = Object.entries(fields).some(([name, value]) => value !== before[name as keyof Fields]);
  const save = async (): Promise<DraftAnswer> => {
    if (!isChanged) return stored;
    const path = `${drafts}/${encodeURIComponent(stored.id)}`;
    const { draft } = await call<{ draft: DraftAnswer }>('PUT', path, { body: bodyOf(fields, stored) });
    setStored(draft);
    return draft;
  };
  const change = useChange(
    async (isSent: boolean) => {
      const draft = await save();
      if (isSent) await sendAsShown(drafts, draft);
      else say('Draft saved');
      go('/drafts');
    },
    [drafts, inWorkspace('/home')],
  );
  return {
    fields,
    set: (name: keyof Fields, value: string) => setFields({ ...fields, [name]: value }),
    isChanged,
    isGood: ADDRESSES.every((name) => faultIn(fields, name) === undefined),
    change,
  };
}

export function DraftEditor({ opened }: { opened: DraftAnswer }) {
  const { fields, set, isChanged, isGood, change } = useDraftEdit(opened);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isGood) change.mutate(false);
  };
  return (
    <form className={`stack ${classes.editor}`} onSubmit={submit}>
      <FaultNote error={change.error} />
      {ADDRESSES.map((name) => (
        <TextInput
          key={name}
          label={NAMES[name]}
          value={fields[name]}
          error={faultIn(fields, name)}
          onChange={(event) => set(name, event.currentTarget.value)}
        />
      ))}
      <TextInput
        label="Subject"
        value={fields.subject}
        onChange={(event) => set('subject', event.currentTarget.value)}
      />
      <Textarea
        label="Text"
        description={opened.html === null ? undefined : 'A changed draft is plain text: its formatting goes.'}
        autosize
        minRows={8}
        maxRows={30}
        value={fields.text}
        onChange={(event) => set('text', event.currentTarget.value)}
      />
      <div className="row">
        <Button type="submit" variant="default" disabled={!isGood || !isChanged} loading={change.isPending}>
          Save
        </Button>
        <Button disabled={!isGood} loading={change.isPending} onClick={() => change.mutate(true)}>
          Send now
        </Button>
      </div>
    </form>
  );
}

function addressFault(text: string, isNeeded: boolean): string | undefined {
  const { addresses, faulty } = readAddresses(text);
  const [first] = faulty;
  if (first !== undefined) return `“${first}” is no email address.`;
  return isNeeded && addresses.length === 0 ? 'Name at least one recipient.' : undefined;
}

function bodyOf(fields: Fields, { date: seenDate }: DraftAnswer) {
  const people = (text: string) => readAddresses(text).addresses.map((email) => ({ email }));
  const { to, cc, bcc, subject, text } = fields;
  return { to: people(to), cc: people(cc), bcc: people(bcc), subject, text, seenDate };
}
