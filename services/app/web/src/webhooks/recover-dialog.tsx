import { useState, type FormEvent } from 'react';
import { Modal, TextInput } from '@mantine/core';
import { call } from '../api/call.ts';
import { fieldFault, isShownBeside } from '../api/fault.ts';
import { useChange } from '../api/use-answer.ts';
import { FaultNote } from '../parts/fault-note.tsx';
import { say } from '../parts/toasts.tsx';
import { dayOf, daysBefore } from '../time/relative.ts';
import { DialogButtons } from '../parts/dialog-buttons.tsx';

export function RecoverDialog({ path, close }: { path: string; close(): void }) {
  const [since, setSince] = useState(dayOf(daysBefore(new Date(), 1)));
  const recovering = useChange(
    () => call<{ deliveries: number }>('POST', `${path}/recover`, { body: { since: `${since}T00:00:00.000Z` } }),
    [`${path}/deliveries`],
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    recovering.mutate(undefined, {
      onSuccess: ({ deliveries }) => {
        say(`${deliveries.toLocaleString('en')} deliveries are tried again`);
        close();
      },
    });
  };
  return (
    <Modal opened onClose={close} title="Deliver what was missed">
      <form className="stack" onSubmit={submit}>
        {!isShownBeside(recovering.error, ['since']) && <FaultNote error={recovering.error} />}
        <TextInput
          label="Since"
          description="Everything since then that was not delivered, as far back as the feed reaches."
          type="date"
          required
          withAsterisk={false}
          data-autofocus
          value={since}
          error={fieldFault(recovering.error, 'since')}
          onChange={(event) => setSince(event.currentTarget.value)}
        />
        <DialogButtons close={close} isPending={recovering.isPending} submit="Recover" />
      </form>
    </Modal>
  );
}
