import { Button } from '@mantine/core';
import type { DecisionAnswer } from '@postroom/app/answers';
import { call } from '../api/call.ts';
import { useWorkspacePath } from '../api/session.ts';
import { useChange } from '../api/use-answer.ts';
import { FaultNote } from '../parts/fault-note.tsx';
import { say } from '../parts/toasts.tsx';
import { Moment } from '../time/moment.tsx';

/** Takes the label of one decision off, or says why it stays. */
export function UndoLabel({ decision: { emailId, effect } }: { decision: DecisionAnswer }) {
  const inWorkspace = useWorkspacePath();
  const path = `/emails/${encodeURIComponent(emailId)}/effects/${encodeURIComponent(effect?.id ?? '')}/undo`;
  const undoing = useChange(
    () => call('POST', inWorkspace(path)),
    ['/ai-label-rules', '/emails', '/rule-decisions'].map((changed) => inWorkspace(changed)),
  );
  if (!effect) return null;
  if (effect.staysBecause !== null) return <span className="soft">{effect.staysBecause}</span>;
  if (effect.undoneAt !== null)
    return (
      <span className="soft">
        Undone, <Moment at={effect.undoneAt} />
      </span>
    );
  return (
    <>
      <FaultNote error={undoing.error} />
      <Button
        variant="default"
        disabled={undoing.isPending}
        onClick={() => undoing.mutate(undefined, { onSuccess: () => say('Undone') })}
      >
        Undo
      </Button>
    </>
  );
}
