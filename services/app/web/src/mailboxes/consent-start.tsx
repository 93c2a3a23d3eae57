import { useState, type FormEvent, type ReactNode } from 'react';
import { Button, TextInput } from '@mantine/core';
import type { MailboxAnswer, ProviderAnswer } from '@postroom/app/answers';
import { fieldFault, isShownBeside } from '../api/fault.ts';
import { usePresent } from '../api/session.ts';
import { FaultNote } from '../parts/fault-note.tsx';
import { leaveForConsent } from './consent.ts';

interface Props {
  provider: ProviderAnswer;
  /** The mailbox to connect again; absent for a new one. */
  mailbox?: MailboxAnswer;
  /** The other ways out of the dialog. */
  others: ReactNode;
}

/** The way to the provider, which asks the person. Nobody types a password here. */
export function ConsentStart({ provider, mailbox, others }: Props) {
  const { workspace } = usePresent();
  const [email, setEmail] = useState('');
  const [isLeaving, setIsLeaving] = useState(false);
  const [fault, setFault] = useState<unknown>(null);
  const company = provider.consent?.name ?? provider.name;
  const leave = (event: FormEvent) => {
    event.preventDefault();
    setIsLeaving(true);
    const account = mailbox?.email ?? (email.trim() || undefined);
    const request = { workspaceId: workspace.id, provider: provider.id, email: account, mailboxId: mailbox?.id };
    leaveForConsent(request).catch((error: unknown) => {
      setFault(error);
      setIsLeaving(false);
    });
  };
  return (
    <form className="stack" onSubmit={leave}>
      <p className="soft">
        {company} asks you for the consent and brings you back. Your password stays there, and you can end the access in
        your account there.
      </p>
      {!mailbox && (
        <TextInput
          label="Email address"
          description={`If you type it, ${company} proposes this account.`}
          type="email"
          autoComplete="off"
          value={email}
          error={fieldFault(fault, 'email')}
          onChange={(event) => setEmail(event.currentTarget.value)}
        />
      )}
      {!isShownBeside(fault, ['email']) && <FaultNote error={fault} />}
      <div className="row-end">
        {others}
        <Button type="submit" loading={isLeaving}>
          Continue with {company}
        </Button>
      </div>
    </form>
  );
}
