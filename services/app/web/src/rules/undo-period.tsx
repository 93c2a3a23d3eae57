import { useState, type FormEvent } from 'react';
import { Modal, TextInput } from '@mantine/core';
import type { PeriodUndoAnswer } from '@postroom/app/answers';
import { call } from '../api/call.ts';
import { useWorkspacePath } from '../api/session.ts';
import { useChange } from '../api/use-answer.ts';
import { DialogButtons } from '../parts/dialog-buttons.tsx';
import { FaultNote } from '../parts/fault-note.tsx';
import { dayPeriod, totalOf, type PeriodTotal } from './undo-total.ts';

interface Props {
  /** The rule. */
  path: string;
  /** The effects that are undone. */
  intro: string;
  close(): void;
}

/** Undoes the effects of a rule in some days, call after call until no decision is left. */
export function UndoPeriodDialog({ path, intro, close }: Props) {
  const inWorkspace = useWorkspacePath();
  const today = new Date().toISOString().slice(0, 10);
  const [{ from, to }, setDays] = useState({ from: today, to: today });
  const [total, setTotal] = useState<PeriodTotal | null>(null);
  const changed = ['/ai-label-rules', '/auto-forward-rules', '/emails', '/drafts', '/home'].map(inWorkspace);
  const undoing = useChange(() => undoDays(path, from, to, setTotal), changed);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    undoing.mutate(undefined);
  };
  return (
    <Modal opened onClose={close} title="Undo in a period">
      <form className="stack" onSubmit={submit}>
        <FaultNote error={undoing.error} />
        <p>{intro}</p>
        <TextInput
          label="From"
          type="date"
          required
          withAsterisk={false}
          max={to}
          value={from}
          data-autofocus
          onChange={(event) => setDays({ from: event.currentTarget.value, to })}
        />
        <TextInput
          label="To"
          type="date"
          required
          withAsterisk={false}
          min={from}
          max={today}
          value={to}
          onChange={(event) => setDays({ from, to: event.currentTarget.value })}
        />
        {total && <Total total={total} isOver={undoing.isSuccess} />}
        <DialogButtons close={close} isPending={undoing.isPending} submit="Undo" />
      </form>
    </Modal>
  );
}

async function undoDays(path: string, from: string, to: string, tell: (total: PeriodTotal) => void): Promise<void> {
  let total: PeriodTotal = { undone: 0, stays: [] };
  let cursor: string | null = null;
  do {
    const body = { ...dayPeriod(from, to), ...(cursor !== null && { cursor }) };
    const answer: PeriodUndoAnswer = await call('POST', `${path}/undo`, { body });
    total = totalOf(total, answer);
    tell(total);
    cursor = answer.nextCursor;
  } while (cursor !== null);
}

function Total({ total: { undone, stays }, isOver }: { total: PeriodTotal; isOver: boolean }) {
  return (
    <div role="status">
      <p>
        {isOver ? 'Done' : 'Undone so far'}: {undone.toLocaleString('en')} undone
      </p>
      {stays.map(({ because, count }) => (
        <p key={because} className="soft">
          {count.toLocaleString('en')} not undone: {because}
        </p>
      ))}
    </div>
  );
}
