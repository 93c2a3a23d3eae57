import type { WholeApprovalAnswer } from '@postroom/app/answers';
import { Button } from '@mantine/core';
import { Link, useLocation, useParams } from 'wouter';
import { call } from '../api/call.ts';
import { useWorkspacePath } from '../api/session.ts';
import { useAnswer, useChange } from '../api/use-answer.ts';
import { Answer } from '../parts/answer.tsx';
import { FaultNote } from '../parts/fault-note.tsx';
import { Page } from '../parts/page.tsx';
import { say } from '../parts/toasts.tsx';
import { ApprovalHead } from './approval-head.tsx';
import { MessageText } from './message-text.tsx';
import classes from './drafts.module.css';

/** One message in full. It is approved here alone, so that nobody approves what they have not seen. */
export function ApprovalPage() {
  const { approvalId } = useParams<{ approvalId: string }>();
  const inWorkspace = useWorkspacePath();
  const path = inWorkspace(`/approvals/${encodeURIComponent(approvalId)}`);
  const answer = useAnswer<WholeApprovalAnswer>(path);
  return (
    <Page title="Send this message?" intro={<Link href="/drafts">All drafts</Link>}>
      <Answer of={answer}>
        {(approval) => (
          <>
            <ApprovalHead approval={approval} />
            <MessageText approval={approval} />
            <Decision path={path} />
          </>
        )}
      </Answer>
    </Page>
  );
}

const SAID = { approve: 'Approved: the message leaves now', refuse: 'Refused: the draft stays a draft' } as const;

function Decision({ path }: { path: string }) {
  const inWorkspace = useWorkspacePath();
  const [, go] = useLocation();
  const deciding = useChange(
    (decision: keyof typeof SAID) => call('POST', `${path}/${decision}`),
    [inWorkspace('/approvals'), inWorkspace('/home')],
  );
  const decide = (decision: keyof typeof SAID) =>
    deciding.mutate(decision, {
      onSuccess: () => {
        say(SAID[decision]);
        go('/drafts');
      },
    });
  return (
    <div className={classes.decision}>
      <FaultNote error={deciding.error} />
      <div className="row">
        <Button loading={deciding.isPending} onClick={() => decide('approve')}>
          Approve
        </Button>
        <Button variant="default" disabled={deciding.isPending} onClick={() => decide('refuse')}>
          Refuse
        </Button>
        <span className="soft">An approved message leaves at once. A refused one is not asked for again.</span>
      </div>
    </div>
  );
}
