import { useEffect, useState } from 'react';
import { TextInput } from '@mantine/core';
import { FOLDER_TYPES } from '@postroom/contract/lists';
import type { LabelAnswer, ListOf, MailboxAnswer, ViewAnswer } from '@postroom/app/answers';
import { useWorkspacePath } from '../api/session.ts';
import { useAnswer } from '../api/use-answer.ts';
import { Icon } from '../parts/icon.tsx';
import { SelectField } from '../parts/select-field.tsx';
import { ANYWHERE, folderTypeOf, type MailState } from './mail-query.ts';
import { FOLDER_NAMES } from './mail-words.ts';
import classes from './mail.module.css';

const TYPING_MS = 300;

interface Props {
  state: MailState;
  change(changes: { [Name in keyof MailState]: string | null }, options?: { replace: boolean }): void;
}

/** Everything that narrows the list. All of it is in the address. */
export function MailFilters({ state, change }: Props) {
  const folder = state.show === 'hidden' ? 'INBOX' : (folderTypeOf(state) ?? ANYWHERE);
  return (
    <div className={classes.filters} role="search" aria-label="Emails">
      <SearchField q={state.q ?? ''} search={(q) => change({ q: q || null }, { replace: true })} />
      <Choice
        label="Folder"
        value={folder}
        every={null}
        options={[
          ...FOLDER_TYPES.map((type) => ({ value: type as string, label: FOLDER_NAMES[type] })),
          { value: ANYWHERE, label: 'All folders' },
        ]}
        choose={(value) => change({ folder: value })}
      />
      <Choice
        label="Show"
        value={state.show ?? ''}
        every="Read and unread"
        options={[
          { value: 'unread', label: 'Unread' },
          { value: 'hidden', label: 'Hidden by filters' },
        ]}
        choose={(value) => change({ show: value })}
      />
      <WorkspaceChoices state={state} change={change} />
    </div>
  );
}

/** The choices that are there only where the workspace has something to choose from. */
function WorkspaceChoices({ state, change }: Props) {
  const inWorkspace = useWorkspacePath();
  const mailboxes = useAnswer<ListOf<MailboxAnswer>>(inWorkspace('/mailboxes')).data?.items ?? [];
  const labels = useAnswer<ListOf<LabelAnswer>>(inWorkspace('/labels')).data?.items ?? [];
  const views = useAnswer<ListOf<ViewAnswer>>(inWorkspace('/views')).data?.items ?? [];
  return (
    <>
      {mailboxes.length > 1 && (
        <Choice
          label="Mailbox"
          value={state.mailbox ?? ''}
          every="All mailboxes"
          options={mailboxes.map(({ id, email }) => ({ value: id, label: email }))}
          choose={(value) => change({ mailbox: value })}
        />
      )}
      {labels.length > 0 && (
        <Choice
          label="Label"
          value={state.label ?? ''}
          every="Any label"
          options={labels.map(({ id, name }) => ({ value: id, label: name }))}
          choose={(value) => change({ label: value })}
        />
      )}
      {views.length > 0 && (
        <Choice
          label="View"
          value={state.view ?? ''}
          every="No view"
          options={views.map(({ id, name, icon }) => ({ value: id, label: icon ? `${icon} ${name}` : name }))}
          choose={(value) => change({ view: value, folder: null })}
        />
      )}
    </>
  );
}

interface ChoiceProps {
  label: string;
  value: string;
  /** The name of having chosen none; null where one is always chosen. */
  every: string | null;
  options: readonly { value: string; label: string }[];
  choose(value: string | null): void;
}

function Choice({ label, value, every, options, choose }: ChoiceProps) {
  const all = every === null ? options : [{ value: '', label: every }, ...options];
  return (
    <SelectField
      label={label}
      isLabelHidden
      value={value}
      options={all}
      change={(chosen) => choose(chosen === '' ? null : chosen)}
    />
  );
}

/** The list follows when the typing rests. */
function SearchField({ q, search }: { q: string; search(q: string): void }) {
  const [text, setText] = useState(q);
  useEffect(() => setText(q), [q]);
  useEffect(() => {
    if (text.trim() === q) return undefined;
    const timer = setTimeout(() => search(text.trim()), TYPING_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <TextInput
      className={classes.search}
      aria-label="Search emails"
      type="search"
      placeholder="Search emails"
      leftSection={<Icon name="search" size={14} />}
      data-filter
      value={text}
      onChange={(event) => setText(event.currentTarget.value)}
      onKeyDown={({ key, currentTarget }) => {
        if (key === 'Enter') search(text.trim());
        if (key === 'Escape' || key === 'Enter') currentTarget.blur();
      }}
    />
  );
}
