import { Button } from '@mantine/core';
import type { MailboxAnswer, MailboxDetailAnswer } from '@postroom/app/answers';
import { useAnswer } from '../api/use-answer.ts';
import { Answer } from '../parts/answer.tsx';
import { progressOfSync } from './progress.ts';
import { SyncProgress } from './sync-progress.tsx';

const POLL_MS = 1_000;

/** The mail comes in while the dialog is open, and when it is closed. */
export function FirstSync({ mailbox, path, done }: { mailbox: MailboxAnswer; path: string; done(): void }) {
  const answer = useAnswer<MailboxDetailAnswer>(`${path}/${mailbox.id}`, { everyMs: POLL_MS });
  return (
    <div className="stack">
      <p>
        The first sync of {mailbox.email} runs
        {progressOfSync(answer.data?.sync ?? null).percent === 100 ? ' no more: it is complete' : ''}.
      </p>
      <Answer of={answer} rows={2}>
        {({ sync }) => (sync ? <SyncProgress sync={sync} /> : null)}
      </Answer>
      <div className="row-end">
        <Button autoFocus onClick={done}>
          Done
        </Button>
      </div>
    </div>
  );
}
