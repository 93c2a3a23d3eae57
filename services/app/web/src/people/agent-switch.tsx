import { Button } from '@mantine/core';
import type { AgentSendingAnswer } from '@postroom/app/answers';
import { call } from '../api/call.ts';
import { useWorkspacePath } from '../api/session.ts';
import { useChange } from '../api/use-answer.ts';
import { FaultNote } from '../parts/fault-note.tsx';
import { say } from '../parts/toasts.tsx';

interface Props {
  sending: AgentSendingAnswer;
  /** Where the state is read. */
  listPath: string;
}

/** It acts at once, unlike other changes: whoever stops agents has no six seconds. The same button takes it back. */
export function AgentSwitch({ sending: { isStopped }, listPath }: Props) {
  const path = useWorkspacePath()('/agent-sending');
  const switching = useChange((stop: boolean) => call('PUT', path, { body: { isStopped: stop } }), [listPath]);
  const change = () =>
    switching.mutate(!isStopped, {
      onSuccess: () => say(isStopped ? 'Agents may send again' : 'All sending by agents is stopped'),
    });
  return (
    <>
      <FaultNote error={switching.error} />
      <Button variant="default" loading={switching.isPending} onClick={change}>
        {isStopped ? 'Allow sending by agents again' : 'Stop all sending by agents'}
      </Button>
    </>
  );
}
