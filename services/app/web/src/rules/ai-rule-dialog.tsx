import { useState, type FormEvent } from 'react';
import { Button, Modal, Switch, Textarea, TextInput } from '@mantine/core';
import type { AiLabelRuleAnswer } from '@postroom/app/answers';
import { bounds } from '@postroom/contract/bounds';
import { call } from '../api/call.ts';
import { fieldFault, isShownBeside } from '../api/fault.ts';
import { useChange } from '../api/use-answer.ts';
import { FaultNote } from '../parts/fault-note.tsx';
import { LABEL_COLORS } from '../parts/label-mark.tsx';
import { SelectField } from '../parts/select-field.tsx';
import { ruleBody, isReplyPossible, valuesOf, type RuleValues } from './ai-rule-values.ts';
import { DialogButtons } from '../parts/dialog-buttons.tsx';
import { RuleTest } from './rule-test.tsx';

interface Props {
  rule: AiLabelRuleAnswer | null;
  path: string;
  close(): void;
}

const FIELDS = ['name', 'color', 'condition', 'autoReplyConfidenceThreshold', 'autoReplyDelayMinutes'];

export function AiRuleDialog({ rule, path, close }: Props) {
  const [values, setValues] = useState<RuleValues>(() => valuesOf(rule));
  const set = (changes: Partial<RuleValues>) => setValues({ ...values, ...changes });
  const saving = useChange(
    (body: object) => (rule ? call('PATCH', `${path}/${rule.id}`, { body }) : call('POST', path, { body })),
    [path],
  );
  const fault = saving.error;
  const [isTesting, setTesting] = useState(false);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    saving.mutate(ruleBody(values), { onSuccess: close });
  };
  const title = rule ? `Edit "${rule.label.name}"` : 'New AI rule';
  return (
    <Modal opened onClose={close} title={title} size={isTesting ? '70rem' : 'md'}>
      {isTesting ? (
        <RuleTest rule={rule} condition={values.condition.trim()} back={() => setTesting(false)} />
      ) : (
        <form className="stack" onSubmit={submit}>
          {!isShownBeside(fault, FIELDS) && <FaultNote error={fault} />}
          <LabelFields values={values} set={set} fault={fault} />
          <ReplyFields values={values} set={set} fault={fault} />
          <DialogButtons close={close} isPending={saving.isPending} submit="Save">
            <Button variant="default" disabled={values.condition.trim() === ''} onClick={() => setTesting(true)}>
              Test
            </Button>
          </DialogButtons>
        </form>
      )}
    </Modal>
  );
}

interface FieldsProps {
  values: RuleValues;
  set(changes: Partial<RuleValues>): void;
  fault: unknown;
}

function LabelFields({ values, set, fault }: FieldsProps) {
  return (
    <>
      <TextInput
        label="Name"
        description="Of the label."
        required
        withAsterisk={false}
        maxLength={bounds.labelName.max}
        data-autofocus
        value={values.name}
        error={fieldFault(fault, 'name')}
        onChange={(event) => set({ name: event.currentTarget.value })}
      />
      <SelectField
        label="Color"
        value={values.color}
        options={[...new Set([...LABEL_COLORS, values.color])].map((color) => ({ value: color, label: color }))}
        change={(color) => set({ color })}
      />
      <Textarea
        label="Condition"
        description={`In your own words, ${bounds.aiCondition.max - values.condition.length} characters left.`}
        placeholder="The email is an invoice, or asks for a payment."
        required
        withAsterisk={false}
        autosize
        minRows={3}
        maxLength={bounds.aiCondition.max}
        value={values.condition}
        error={fieldFault(fault, 'condition')}
        onChange={(event) => set({ condition: event.currentTarget.value })}
      />
      <Switch
        label="Hide from the inbox"
        checked={values.hideFromInbox}
        onChange={(event) => set({ hideFromInbox: event.currentTarget.checked })}
      />
    </>
  );
}

/** A reply is sent only of what is drafted. */
function ReplyFields({ values, set, fault }: FieldsProps) {
  const { autoReplyThreshold: threshold, autoReplyDelayMinutes: delay } = bounds;
  return (
    <>
      <Switch
        label="Draft a reply"
        description="A person reviews it. Needs a subscription."
        checked={values.autoDraftEnabled}
        onChange={(event) => set({ autoDraftEnabled: event.currentTarget.checked, autoReplyEnabled: false })}
      />
      <Switch
        label="Send the reply"
        description="In your name, without a person, when the confidence is high enough."
        disabled={!isReplyPossible(values)}
        checked={values.autoReplyEnabled}
        onChange={(event) => set({ autoReplyEnabled: event.currentTarget.checked })}
      />
      {values.autoReplyEnabled && (
        <div className="row">
          <TextInput
            label="From this confidence, in percent"
            type="number"
            min={threshold.min}
            max={threshold.max}
            required
            withAsterisk={false}
            value={values.autoReplyConfidenceThreshold}
            error={fieldFault(fault, 'autoReplyConfidenceThreshold')}
            onChange={(event) => set({ autoReplyConfidenceThreshold: event.currentTarget.value })}
          />
          <TextInput
            label="After so many minutes"
            type="number"
            min={delay.min}
            max={delay.max}
            required
            withAsterisk={false}
            value={values.autoReplyDelayMinutes}
            error={fieldFault(fault, 'autoReplyDelayMinutes')}
            onChange={(event) => set({ autoReplyDelayMinutes: event.currentTarget.value })}
          />
        </div>
      )}
    </>
  );
}
