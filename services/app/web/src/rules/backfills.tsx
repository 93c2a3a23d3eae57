import { useState, type FormEvent } from 'react';
import { Button, Modal, TextInput } from '@mantine/core';
import type { AiLabelRuleAnswer, BackfillAnswer, ListOf, MailboxAnswer } from '@postroom/app/answers';
import { bounds } from '@postroom/contract/bounds';
import { call } from '../api/call.ts';
import { useIsAdmin, useWorkspacePath } from '../api/session.ts';
import { useAnswer, useChange } from '../api/use-answer.ts';
import { Answer } from '../parts/answer.tsx';
import { Badge, type Tone } from '../parts/badge.tsx';
import { capitalized } from '../parts/capitalized.ts';
import { CopyText } from '../parts/copy-text.tsx';
import { DataTable, type Column } from '../parts/data-table.tsx';
import { FaultNote } from '../parts/fault-note.tsx';
import { Section } from '../parts/page.tsx';
import { SelectField } from '../parts/select-field.tsx';
import { Moment } from '../time/moment.tsx';
import { useUrlState } from '../url/url-state.ts';
import { DialogButtons } from '../parts/dialog-buttons.tsx';

const LIVE_MS = 2_000;
const TONES: Readonly<Record<BackfillAnswer['state'], Tone>> = {
  queued: 'quiet',
  running: 'accent',
  completed: 'good',
  failed: 'bad',
};
const isUnderWay = ({ state }: BackfillAnswer) => state === 'queued' || state === 'running';

/** Rules are held against new mail; a backfill holds them against mail that was there before. */
export function Backfills() {
  const inWorkspace = useWorkspacePath();
  const isAdmin = useIsAdmin();
  const [{ dialog }, change] = useUrlState(['dialog']);
  const rules = useAnswer<ListOf<AiLabelRuleAnswer>>(inWorkspace('/ai-label-rules'));
  const path = inWorkspace('/backfills');
  const answer = useAnswer<ListOf<BackfillAnswer>>(path, {
    everyMs: (latest) => (latest?.items.some(isUnderWay) ? LIVE_MS : false),
  });
  if (!rules.data || rules.data.items.length === 0) return null;
  const begin = (
    <Button variant="default" onClick={() => change({ dialog: 'backfill' })}>
      Classify existing emails
    </Button>
  );
  return (
    <Section
      title="Backfills"
      intro="Labels for emails that came before a rule did. Nothing is forwarded or answered."
      actions={isAdmin && begin}
    >
      <Answer of={answer} rows={1}>
        {({ items }) => (items.length === 0 ? <p className="soft">None has run.</p> : <BackfillTable items={items} />)}
      </Answer>
      {isAdmin && dialog === 'backfill' && <BackfillDialog path={path} close={() => change({ dialog: null })} />}
    </Section>
  );
}

function BackfillTable({ items }: { items: readonly BackfillAnswer[] }) {
  const mailboxes = useAnswer<ListOf<MailboxAnswer>>(useWorkspacePath()('/mailboxes')).data?.items ?? [];
  const columns: Column<BackfillAnswer>[] = [
    {
      name: 'Mailbox',
      cell: ({ id, mailboxId }) => (
        <span className="two">
          <span>{mailboxes.find((mailbox) => mailbox.id === mailboxId)?.email ?? mailboxId}</span>
          <span className="soft">
            <CopyText text={id} isRowId />
          </span>
        </span>
      ),
    },
    {
      name: 'State',
      cell: ({ state, cause }) => (
        <span className="row">
          <Badge tone={TONES[state]}>{capitalized(state)}</Badge>
          {cause}
        </span>
      ),
    },
    {
      name: 'Progress',
      cell: ({ done, total }) => (
        <span className="row">
          <progress aria-label="Progress" max={Math.max(total, 1)} value={done} />
          {done.toLocaleString('en')} of {total.toLocaleString('en')}
        </span>
      ),
    },
    { name: 'Begun', isTight: true, cell: ({ createdAt }) => <Moment at={createdAt} /> },
  ];
  return <DataTable label="Backfills" columns={columns} items={items} keyOf={({ id }) => id} />;
}

function BackfillDialog({ path, close }: { path: string; close(): void }) {
  const mailboxes = useAnswer<ListOf<MailboxAnswer>>(useWorkspacePath()('/mailboxes')).data?.items ?? [];
  const { min, max, usual } = bounds.backfillEmails;
  const [limit, setLimit] = useState(String(usual));
  const [mailboxId, setMailboxId] = useState('');
  const beginning = useChange((body: object) => call('POST', path, { body }), [path]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const body = { limit: Number(limit), ...(mailboxId !== '' && { mailboxId }) };
    beginning.mutate(body, { onSuccess: close });
  };
  const options = [{ value: '', label: 'All' }, ...mailboxes.map(({ id, email }) => ({ value: id, label: email }))];
  return (
    <Modal opened onClose={close} title="Classify existing emails">
      <form className="stack" onSubmit={submit}>
        <FaultNote error={beginning.error} />
        <TextInput
          label="Newest emails of each inbox"
          description="One model call for each of them."
          type="number"
          min={min}
          max={max}
          required
          withAsterisk={false}
          data-autofocus
          value={limit}
          onChange={(event) => setLimit(event.currentTarget.value)}
        />
        <SelectField label="Mailbox" value={mailboxId} options={options} change={setMailboxId} />
        <DialogButtons close={close} isPending={beginning.isPending} submit="Begin" />
      </form>
    </Modal>
  );
}
