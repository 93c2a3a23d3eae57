import { useState, type FormEvent } from 'react';
import { Modal, TextInput } from '@mantine/core';
import type { InboxFilterAnswer, LabelAnswer, ListOf } from '@postroom/app/answers';
import { bounds } from '@postroom/contract/bounds';
import { INBOX_FILTER_TYPES, type InboxFilterType } from '@postroom/contract/lists';
import { call } from '../api/call.ts';
import { fieldFault, isShownBeside } from '../api/fault.ts';
import { useWorkspacePath } from '../api/session.ts';
import { useAnswer, useChange } from '../api/use-answer.ts';
import { FaultNote } from '../parts/fault-note.tsx';
import { SelectField } from '../parts/select-field.tsx';
import { DialogButtons } from '../parts/dialog-buttons.tsx';

export const FILTER_TYPES: Readonly<Record<InboxFilterType, string>> = {
  sender: 'Sender is',
  domain: 'Domain of the sender is',
  subject: 'Subject contains',
  label: 'Label is',
};

interface Props {
  filter: InboxFilterAnswer | null;
  path: string;
  close(): void;
}

export function InboxFilterDialog({ filter, path, close }: Props) {
  const labels = useAnswer<ListOf<LabelAnswer>>(useWorkspacePath()('/labels')).data?.items ?? [];
  const [type, setType] = useState<InboxFilterType>(filter?.type ?? 'sender');
  const [value, setValue] = useState(filter?.value ?? '');
  const saving = useChange(
    (body: object) => (filter ? call('PATCH', `${path}/${filter.id}`, { body }) : call('POST', path, { body })),
    [path],
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    saving.mutate({ type, value: value.trim() }, { onSuccess: close });
  };
  return (
    <Modal opened onClose={close} title={filter ? 'Edit filter' : 'New filter'}>
      <form className="stack" onSubmit={submit}>
        {!isShownBeside(saving.error, ['value']) && <FaultNote error={saving.error} />}
        <SelectField
          label="Hide when"
          value={type}
          options={INBOX_FILTER_TYPES.map((each) => ({ value: each, label: FILTER_TYPES[each] }))}
          change={(chosen) => {
            setType(chosen);
            if (chosen === 'label' || type === 'label') setValue('');
          }}
        />
        {type === 'label' ? (
          <SelectField
            label="Label"
            isRequired
            value={value}
            options={[
              { value: '', label: 'Choose a label' },
              ...labels.map(({ id, name }) => ({ value: id, label: name })),
            ]}
            change={setValue}
          />
        ) : (
          <TextInput
            label="Value"
            required
            withAsterisk={false}
            maxLength={bounds.inboxFilterValue.max}
            value={value}
            error={fieldFault(saving.error, 'value')}
            onChange={(event) => setValue(event.currentTarget.value)}
          />
        )}
        <DialogButtons close={close} isPending={saving.isPending} submit="Save" />
      </form>
    </Modal>
  );
}
