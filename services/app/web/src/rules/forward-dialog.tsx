import { useState, type FormEvent } from 'react';
import { Modal, Switch, TextInput } from '@mantine/core';
import type { AiLabelRuleAnswer, AutoForwardRuleAnswer, ListOf } from '@postroom/app/answers';
import { bounds } from '@postroom/contract/bounds';
import { AUTO_FORWARD_FIELDS } from '@postroom/contract/lists';
import { call } from '../api/call.ts';
import { fieldFault, isShownBeside } from '../api/fault.ts';
import { useWorkspacePath } from '../api/session.ts';
import { useAnswer, useChange } from '../api/use-answer.ts';
import { FaultNote } from '../parts/fault-note.tsx';
import { SelectField } from '../parts/select-field.tsx';
import { FORWARD_FIELDS } from './forward-words.ts';
import { DialogButtons } from '../parts/dialog-buttons.tsx';

type Values = Pick<AutoForwardRuleAnswer, 'conditionField' | 'conditionValue' | 'forwardTo' | 'mode' | 'isActive'>;

interface Props {
  rule: AutoForwardRuleAnswer | null;
  path: string;
  close(): void;
}

const EMPTY: Values = { conditionField: 'label', conditionValue: '', forwardTo: '', mode: 'normal', isActive: true };
const MODES = [
  { value: 'normal', label: 'A forward: “Fwd:” and the quoted body' },
  { value: 'invisible', label: 'The original, unchanged; answers go to its sender' },
] as const;
const BESIDE = ['conditionValue', 'forwardTo'];

export function ForwardDialog({ rule, path, close }: Props) {
  const [values, setValues] = useState<Values>(() => (rule ? pick(rule) : EMPTY));
  const set = (changes: Partial<Values>) => setValues({ ...values, ...changes });
  const saving = useChange(
    (body: Values) => (rule ? call('PATCH', `${path}/${rule.id}`, { body }) : call('POST', path, { body })),
    [path],
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    saving.mutate(values, { onSuccess: close });
  };
  return (
    <Modal opened onClose={close} title={rule ? 'Edit forward' : 'New forward'}>
      <form className="stack" onSubmit={submit}>
        {!isShownBeside(saving.error, BESIDE) && <FaultNote error={saving.error} />}
        <SelectField
          label="When"
          value={values.conditionField}
          options={AUTO_FORWARD_FIELDS.map((field) => ({ value: field, label: FORWARD_FIELDS[field] }))}
          change={(conditionField) => set({ conditionField, conditionValue: '' })}
        />
        <ValueField values={values} set={set} error={fieldFault(saving.error, 'conditionValue')} />
        <TextInput
          label="Forward to"
          type="email"
          required
          withAsterisk={false}
          maxLength={bounds.address.max}
          value={values.forwardTo}
          error={fieldFault(saving.error, 'forwardTo')}
          onChange={(event) => set({ forwardTo: event.currentTarget.value })}
        />
        <SelectField label="As" value={values.mode} options={MODES} change={(mode) => set({ mode })} />
        <Switch
          label="Active"
          checked={values.isActive}
          onChange={(event) => set({ isActive: event.currentTarget.checked })}
        />
        <DialogButtons close={close} isPending={saving.isPending} submit="Save" />
      </form>
    </Modal>
  );
}

interface ValueProps {
  values: Values;
  set(changes: Partial<Values>): void;
  error: string | undefined;
}

/** A forward by label names an AI label: manual ones never trigger it. */
function ValueField({ values, set, error }: ValueProps) {
  const rules = useAnswer<ListOf<AiLabelRuleAnswer>>(useWorkspacePath()('/ai-label-rules')).data?.items ?? [];
  if (values.conditionField === 'label' && rules.length > 0) {
    const names = new Set([
      ...rules.map(({ label }) => label.name),
      ...(values.conditionValue && [values.conditionValue]),
    ]);
    const options = [
      { value: '', label: 'Choose a label' },
      ...[...names].map((name) => ({ value: name, label: name })),
    ];
    return (
      <SelectField
        label="Label"
        isRequired
        value={values.conditionValue}
        options={options}
        change={(conditionValue) => set({ conditionValue })}
      />
    );
  }
  return (
    <TextInput
      label={values.conditionField === 'label' ? 'Name of an AI label' : 'Text'}
      required
      withAsterisk={false}
      maxLength={bounds.autoForwardValue.max}
      value={values.conditionValue}
      error={error}
      onChange={(event) => set({ conditionValue: event.currentTarget.value })}
    />
  );
}

function pick({ conditionField, conditionValue, forwardTo, mode, isActive }: AutoForwardRuleAnswer): Values {
  return { conditionField, conditionValue, forwardTo, mode, isActive };
}
