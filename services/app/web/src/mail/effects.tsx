import { Button } from '@mantine/core';
import type { EffectAnswer, ListOf, UndoAnswer } from '@postroom/app/answers';
import { call } from '../api/call.ts';
import { useWorkspacePath } from '../api/session.ts';
import { useChange } from '../api/use-answer.ts';
import { DataTable, type Column } from '../parts/data-table.tsx';
import { FaultNote } from '../parts/fault-note.tsx';
import { LabelMark } from '../parts/label-mark.tsx';
import { Section } from '../parts/page.tsx';
import { say } from '../parts/toasts.tsx';
import { Moment } from '../time/moment.tsx';
import { isUndoable, undoneWords } from './effect-words.ts';

interface Props {
  emailId: string;
  effects: readonly EffectAnswer[];
}

/** The effects of rules on an email, and the way back. */
export function Effects({ emailId, effects }: Props) {
  const inWorkspace = useWorkspacePath();
  const path = inWorkspace(`/emails/${encodeURIComponent(emailId)}`);
  const changed = ['/emails', '/drafts', '/home', '/ai-label-rules'].map(inWorkspace);
  const one = useChange((id: string) => call('POST', `${path}/effects/${encodeURIComponent(id)}/undo`), changed);
  const all = useChange(() => call<ListOf<UndoAnswer>>('POST', `${path}/undo`), changed);
  if (effects.length === 0) return null;
  const isBusy = one.isPending || all.isPending;
  const undoAll = () => all.mutate(undefined, { onSuccess: ({ items }) => say(undoneWords(items)) });
  const undo: Column<EffectAnswer> = {
    name: 'Undo',
    isNameless: true,
    isAtEnd: true,
    cell: (effect) =>
      isUndoable(effect) ? (
        <Button
          variant="default"
          disabled={isBusy}
          onClick={() => one.mutate(effect.id, { onSuccess: () => say('Undone') })}
        >
          Undo
        </Button>
      ) : (
        <Ending effect={effect} />
      ),
  };
  return (
    <Section
      title="What rules did"
      intro="Undo takes it back while nobody has changed it since."
      actions={
        effects.filter(isUndoable).length > 1 && (
          <Button variant="default" disabled={isBusy} onClick={undoAll}>
            Undo all
          </Button>
        )
      }
    >
      <FaultNote error={one.error ?? all.error} />
      <DataTable label="Effects" columns={[...FACTS, undo]} items={effects} keyOf={({ id }) => id} isQuiet={isOver} />
    </Section>
  );
}

const isOver = ({ undoneAt }: EffectAnswer): boolean => undoneAt !== null;

function Ending({ effect: { undoneAt, staysBecause } }: { effect: EffectAnswer }) {
  if (undoneAt === null) return <span className="soft">{staysBecause}</span>;
  return (
    <span className="soft">
      Undone, <Moment at={undoneAt} />
    </span>
  );
}

const FACTS: readonly Column<EffectAnswer>[] = [
  { name: 'Effect', cell: (effect) => <Done effect={effect} /> },
  {
    name: 'Reason',
    cell: ({ reason, confidence }) => (
      <span className="two">
        <span>{reason}</span>
        {confidence !== null && <span className="soft">{confidence}% sure</span>}
      </span>
    ),
  },
  { name: 'Done', isTight: true, cell: ({ at }) => <Moment at={at} /> },
];

function Done({ effect: { kind, label, hides, forwardTo } }: { effect: EffectAnswer }) {
  if (kind === 'forward') return <>Forwarded to {forwardTo}</>;
  if (kind === 'reply') return <>Automatic reply prepared</>;
  if (kind === 'draft') return <>Draft prepared</>;
  return (
    <span className="row">
      {label ? <LabelMark label={label} /> : <span className="soft">Deleted label</span>}
      {hides && 'hidden from the inbox'}
    </span>
  );
}
