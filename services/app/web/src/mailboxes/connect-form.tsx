import { useState, type FormEvent } from 'react';
import { Button, TextInput } from '@mantine/core';
import type { ProviderAnswer } from '@postroom/app/answers';
import { fieldFault, isShownBeside } from '../api/fault.ts';
import { FaultNote } from '../parts/fault-note.tsx';
import type { useConnecting } from './connecting.ts';
import { ConsentStart } from './consent-start.tsx';
import { OTHER, ProviderCards } from './provider-cards.tsx';
import { StepsList } from './steps-list.tsx';

interface Props {
  providers: readonly ProviderAnswer[];
  connecting: ReturnType<typeof useConnecting>;
  cancel(): void;
}

const FIELDS = [
  { name: 'email', label: 'Email address', type: 'email', autoComplete: 'off', placeholder: 'ann@acme.example' },
  { name: 'password', label: 'Password', type: 'password', autoComplete: 'off', placeholder: '' },
  { name: 'imap', label: 'IMAP server', type: 'text', autoComplete: 'off', placeholder: 'imap.acme.example:993' },
  { name: 'smtp', label: 'SMTP server', type: 'text', autoComplete: 'off', placeholder: 'smtp.acme.example:465' },
  {
    name: 'user',
    label: 'User name',
    type: 'text',
    autoComplete: 'off',
    placeholder: '',
    description: 'Where it is not the email address.',
    isOptional: true,
  },
] as const;

type Values = Record<(typeof FIELDS)[number]['name'], string>;

const EMPTY: Values = { email: '', password: '', imap: '', smtp: '', user: '' };

/** Some providers ask for the consent of the person; all others, and those on request, for a password. */
export function ConnectForm({ providers, connecting, cancel }: Props) {
  const [provider, setProvider] = useState<ProviderAnswer>(OTHER);
  const [isByPassword, setIsByPassword] = useState(false);
  const [values, setValues] = useState<Values>(EMPTY);
  const choose = (chosen: ProviderAnswer) => {
    setProvider(chosen);
    setIsByPassword(false);
    setValues({ ...values, imap: chosen.imap, smtp: chosen.smtp });
  };
  const ways = (
    <>
      <Button variant="default" onClick={cancel}>
        Cancel
      </Button>
      <Button variant="default" onClick={() => setIsByPassword(true)}>
        Use an app password
      </Button>
    </>
  );
  return (
    <div className="stack">
      <ProviderCards providers={providers} chosenId={provider.id} choose={choose} />
      {provider.consent?.isConfigured && !isByPassword ? (
        <ConsentStart key={provider.id} provider={provider} others={ways} />
      ) : (
        <PasswordForm
          provider={provider}
          values={values}
          setValues={setValues}
          connecting={connecting}
          cancel={cancel}
        />
      )}
    </div>
  );
}

interface PasswordProps extends Omit<Props, 'providers'> {
  provider: ProviderAnswer;
  values: Values;
  setValues(values: Values): void;
}

function PasswordForm({ provider, values, setValues, connecting, cancel }: PasswordProps) {
  const { steps, isBusy, fault, begin } = connecting;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const { password, ...texts } = values;
    const { email, user, ...servers } = mapValues(texts, (text) => text.trim());
    void begin({ email, password, ...servers, ...(user !== '' && { user }) });
  };
  const names = FIELDS.map(({ name }) => name);
  return (
    <form className="stack" onSubmit={submit}>
      {provider.consent && !provider.consent.isConfigured && (
        <p className="soft">
          Nobody can give consent at {provider.consent.name} yet: an operator has to add a client first (“Consent in the
          app” in docs/mailboxes.md). Until then, use an app password.
        </p>
      )}
      {provider.note !== '' && <p className="soft">{provider.note}</p>}
      {FIELDS.map((field, index) => (
        <TextInput
          key={field.name}
          label={field.label}
          description={'description' in field ? field.description : undefined}
          type={field.type}
          autoComplete={field.autoComplete}
          placeholder={field.placeholder}
          required={!('isOptional' in field)}
          withAsterisk={false}
          data-autofocus={index === 0 || undefined}
          value={values[field.name]}
          error={fieldFault(fault, field.name)}
          onChange={(event) => setValues({ ...values, [field.name]: event.currentTarget.value })}
        />
      ))}
      <StepsList steps={steps} />
      {!isShownBeside(fault, names) && <FaultNote error={fault} />}
      <div className="row-end">
        <Button variant="default" onClick={cancel}>
          Cancel
        </Button>
        <Button type="submit" loading={isBusy}>
          Connect
        </Button>
      </div>
    </form>
  );
}

function mapValues<Key extends string>(
  values: Record<Key, string>,
  change: (text: string) => string,
): Record<Key, string> {
  return Object.fromEntries(Object.entries<string>(values).map(([key, text]) => [key, change(text)])) as Record<
    Key,
    string
  >;
}
