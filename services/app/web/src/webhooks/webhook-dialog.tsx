import { useState, type FormEvent } from 'react';
import { Button, Checkbox, Modal, TextInput } from '@mantine/core';
import type { WebhookAnswer } from '@postroom/app/answers';
import { bounds } from '@postroom/contract/bounds';
import { WEBHOOK_EVENTS } from '@postroom/contract/lists';
import { call } from '../api/call.ts';
import { fieldFault, isShownBeside } from '../api/fault.ts';
import { useChange } from '../api/use-answer.ts';
import { FaultNote } from '../parts/fault-note.tsx';
import { SecretOnce } from '../parts/secret-once.tsx';

interface Props {
  webhook: WebhookAnswer | null;
  path: string;
  close(): void;
}

export const SECRET_ADVICE =
  'Copy the secret now: your server needs it to check signatures, and it is not shown again.';

/** Makes or changes an endpoint; a new one's secret is shown once. */
export function WebhookDialog({ webhook, path, close }: Props) {
  const [secret, setSecret] = useState<string | null>(null);
  const saving = useChange(
    (body: object) =>
      webhook
        ? call<{ secret?: string }>('PATCH', `${path}/${webhook.id}`, { body })
        : call<{ secret?: string }>('POST', path, { body }),
    [path],
  );
  const save = (body: object) =>
    saving.mutate(body, { onSuccess: (made) => (made.secret === undefined ? close() : setSecret(made.secret)) });
  const title = secret !== null ? 'The webhook is ready' : webhook ? 'Edit webhook' : 'New webhook';
  return (
    <Modal opened onClose={close} title={title} closeOnClickOutside={secret === null}>
      {secret === null ? (
        <WebhookForm webhook={webhook} save={save} close={close} isBusy={saving.isPending} fault={saving.error} />
      ) : (
        <SecretOnce label="Secret" secret={secret} advice={SECRET_ADVICE} done={close} />
      )}
    </Modal>
  );
}

interface FormProps {
  webhook: WebhookAnswer | null;
  save(body: object): void;
  close(): void;
  isBusy: boolean;
  fault: unknown;
}

function WebhookForm({ webhook, save, close, isBusy, fault }: FormProps) {
  const [url, setUrl] = useState(webhook?.url ?? '');
  const [description, setDescription] = useState(webhook?.description ?? '');
  const [events, setEvents] = useState<string[]>([...(webhook?.events ?? WEBHOOK_EVENTS)]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save({ url: url.trim(), description: description.trim() || null, events });
  };
  return (
    <form className="stack" onSubmit={submit}>
      {!isShownBeside(fault, ['url', 'description', 'events']) && <FaultNote error={fault} />}
      <TextInput
        label="Address"
        description="https, port 443, on a public server."
        placeholder="https://hooks.acme.example/postroom"
        type="url"
        required
        withAsterisk={false}
        maxLength={bounds.webhookUrl.max}
        data-autofocus
        value={url}
        error={fieldFault(fault, 'url')}
        onChange={(event) => setUrl(event.currentTarget.value)}
      />
      <TextInput
        label="Description"
        maxLength={bounds.webhookDescription.max}
        value={description}
        error={fieldFault(fault, 'description')}
        onChange={(event) => setDescription(event.currentTarget.value)}
      />
      <Checkbox.Group label="Events" value={events} onChange={setEvents} error={fieldFault(fault, 'events')}>
        <div className="stack" style={{ gap: 6, marginTop: 6 }}>
          {WEBHOOK_EVENTS.map((name) => (
            <Checkbox key={name} value={name} label={name} />
          ))}
        </div>
      </Checkbox.Group>
      <div className="row-end">
        <Button variant="default" onClick={close}>
          Cancel
        </Button>
        <Button type="submit" loading={isBusy} disabled={events.length === 0}>
          Save
        </Button>
      </div>
    </form>
  );
}
