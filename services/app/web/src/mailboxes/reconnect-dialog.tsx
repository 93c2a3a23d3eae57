import { useState, type FormEvent } from 'react';
import { Button, Modal, TextInput } from '@mantine/core';
import type { ListOf, MailboxAnswer, MailboxDetailAnswer, ProviderAnswer } from '@postroom/app/answers';
import { invalidate, queryClient, useAnswer } from '../api/use-answer.ts';
import { fieldFault, isShownBeside } from '../api/fault.ts';
import { FaultNote } from '../parts/fault-note.tsx';
import { ConsentStart } from './consent-start.tsx';
import { useConnecting } from './connecting.ts';
import { FirstSync } from './first-sync.tsx';
import { StepsList } from './steps-list.tsx';

/** Logs in again: by the consent of the provider, with the stored password, or with a new one. */
export function ReconnectDialog({ mailbox, close, path }: { mailbox: MailboxAnswer; close(): void; path: string }) {
  const { steps, isBusy, fault, begin, stop, ...connecting } = useConnecting(`${path}/${mailbox.id}/reconnect`);
  const provider = useConsentProvider(`${path}/${mailbox.id}`);
  const [isByPassword, setIsByPassword] = useState(false);
  const end = () => {
    stop();
    void invalidate(queryClient, [path]);
    close();
  };
  return (
    <Modal opened onClose={end} title={`Reconnect ${mailbox.email}`} closeOnClickOutside={false}>
      {connecting.mailbox ? (
        <FirstSync mailbox={connecting.mailbox} path={path} done={end} />
      ) : provider && !isByPassword ? (
        <ConsentStart
          provider={provider}
          mailbox={mailbox}
          others={
            <Button variant="default" onClick={() => setIsByPassword(true)}>
              Use a password
            </Button>
          }
        />
      ) : (
        <PasswordForm {...{ steps, isBusy, fault }} begin={begin} cancel={end} />
      )}
    </Modal>
  );
}

type FormProps = Pick<ReturnType<typeof useConnecting>, 'steps' | 'isBusy' | 'fault' | 'begin'> & { cancel(): void };

function PasswordForm({ steps, isBusy, fault, begin, cancel }: FormProps) {
  const [password, setPassword] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void begin(password === '' ? {} : { password });
  };
  return (
    <form className="stack" onSubmit={submit}>
      <TextInput
        label="Password"
        description="Empty: the stored one is tried again."
        type="password"
        autoComplete="off"
        data-autofocus
        value={password}
        error={fieldFault(fault, 'password')}
        onChange={(event) => setPassword(event.currentTarget.value)}
      />
      <StepsList steps={steps} />
      {!isShownBeside(fault, ['password']) && <FaultNote error={fault} />}
      <div className="row-end">
        <Button variant="default" onClick={cancel}>
          Cancel
        </Button>
        <Button type="submit" loading={isBusy}>
          Log in
        </Button>
      </div>
    </form>
  );
}

/** Undefined where only a password connects the mailbox again. */
function useConsentProvider(mailboxPath: string): ProviderAnswer | undefined {
  const id = useAnswer<MailboxDetailAnswer>(mailboxPath).data?.server?.consentProvider;
  const providers = useAnswer<ListOf<ProviderAnswer>>('/providers').data?.items ?? [];
  return providers.find((provider) => provider.id === id);
}
