import { useEffect, useRef, useState } from 'react';
import { Button, Modal } from '@mantine/core';
import type { ConsentAnswer } from '@postroom/app/answers';
import { call } from '../api/call.ts';
import { invalidate, queryClient } from '../api/use-answer.ts';
import { FaultNote } from '../parts/fault-note.tsx';
import { takeReturnedQuery } from '../url/returned-query.ts';
import { leaveForConsent, type ConsentRequest } from './consent.ts';
import { useConnecting } from './connecting.ts';
import { FirstSync } from './first-sync.tsx';
import { StepsList } from './steps-list.tsx';

const USED = 'The answer of the provider was used already. Nothing is connected; start again.';

/** The account that the consent is for, then the steps of the login as with a password, then the first sync. */
export function ConsentDialog({ request, close }: { request: ConsentRequest; close(): void }) {
  const base = `/workspaces/${request.workspaceId}`;
  const connecting = useConnecting(`${base}/mailbox-consents/connect`);
  const { consent, fault, isBusy, connect } = useConsent(base, request, connecting.begin);
  const [startFault, setStartFault] = useState<unknown>(null);
  const end = () => {
    connecting.stop();
    void invalidate(queryClient, [`${base}/mailboxes`]);
    close();
  };
  const startAgain = () => void leaveForConsent(request).catch(setStartFault);
  const shown = startFault ?? fault ?? connecting.fault;
  const isWaiting = isBusy || connecting.isBusy;
  return (
    <Modal opened onClose={end} title={titleOf(connecting.mailbox !== null, request)} closeOnClickOutside={false}>
      {connecting.mailbox ? (
        <FirstSync mailbox={connecting.mailbox} path={`${base}/mailboxes`} done={end} />
      ) : (
        <div className="stack">
          {(consent || isBusy) && (
            <p aria-live="polite">{consent ? `The consent is for ${consent.email}.` : 'Checking the consent…'}</p>
          )}
          <StepsList steps={connecting.steps} />
          <FaultNote error={shown} />
          <div className="row-end">
            <Button variant="default" onClick={end}>
              Close
            </Button>
            {!isWaiting && consent !== null && (
              <Button variant="default" onClick={() => connect(consent)}>
                Try again
              </Button>
            )}
            {!isWaiting && <Button onClick={startAgain}>Start again</Button>}
          </div>
        </div>
      )}
    </Modal>
  );
}

const titleOf = (isConnected: boolean, { mailboxId }: ConsentRequest) => {
  if (isConnected) return 'The mailbox is connected';
  return mailboxId === undefined ? 'New mailbox' : 'Reconnect mailbox';
};

/** Hands the answer of the provider over, once, and goes on to the logins. */
function useConsent(base: string, { provider }: ConsentRequest, begin: ReturnType<typeof useConnecting>['begin']) {
  const [state, setState] = useState<{ consent: ConsentAnswer | null; fault: unknown; isBusy: boolean }>({
    consent: null,
    fault: null,
    isBusy: true,
  });
  const connect = ({ id, mailboxId }: ConsentAnswer) =>
    void begin({ consentId: id, ...(mailboxId !== null && { mailboxId }) });
  const isBegun = useRef(false);
  useEffect(() => {
    if (isBegun.current) return;
    isBegun.current = true;
    const query = takeReturnedQuery();
    const finished =
      query === null
        ? Promise.reject(new Error(USED))
        : call<ConsentAnswer>('POST', `${base}/mailbox-consents/finish`, { body: { provider, query } });
    finished.then(
      (consent) => {
        setState({ consent, fault: null, isBusy: false });
        connect(consent);
      },
      (fault: unknown) => setState({ consent: null, fault, isBusy: false }),
    );
  });
  return { ...state, connect };
}
