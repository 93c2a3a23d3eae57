import { Button, TextInput } from '@mantine/core';
import type { LabelAnswer } from '@postroom/app/answers';
import { bounds } from '@postroom/contract/bounds';
import { FILTER_FIELDS } from '@postroom/contract/filter-fields';
import { FOLDER_TYPES } from '@postroom/contract/lists';
import { Icon } from '../parts/icon.tsx';
import { SelectField } from '../parts/select-field.tsx';
import { FIELD_NAMES, operatorName } from './field-names.ts';
import { needsValue, operatorsOf, withField, withOperator, type BuilderCondition } from './filter-tree.ts';
import classes from './views.module.css';

interface Props {
  condition: BuilderCondition;
  labels: readonly LabelAnswer[];
  change(condition: BuilderCondition): void;
  remove(): void;
}

const FIELDS = FILTER_FIELDS.map((field) => ({ value: field, label: FIELD_NAMES[field] }));

export function FilterCondition({ condition, labels, change, remove }: Props) {
  const { label: field, type } = condition;
  return (
    <div className={classes.condition}>
      <SelectField
        label="Field"
        isLabelHidden
        value={field}
        options={FIELDS}
        change={(label) => change(withField(condition, label))}
      />
      <SelectField
        label="Operator"
        isLabelHidden
        value={type}
        options={operatorsOf(field).map((operator) => ({ value: operator, label: operatorName(field, operator) }))}
        change={(operator) => change(withOperator(condition, operator))}
      />
      {needsValue(type) ? <Value condition={condition} labels={labels} change={change} /> : <span />}
      <Button variant="subtle" color="gray" aria-label="Remove condition" onClick={remove}>
        <Icon name="close" size={14} />
      </Button>
    </div>
  );
}

function Value({ condition, labels, change }: Omit<Props, 'remove'>) {
  const { label: field, type, value } = condition;
  const set = (text: string) => change({ ...condition, value: text });
  if (field === 'label' || field === 'ai_label') {
    const fitting = labels.filter(({ isAiLabel }) => field === 'label' || isAiLabel);
    const options = [
      { value: '', label: 'Choose a label' },
      ...fitting.map(({ id, name }) => ({ value: id, label: name })),
    ];
    return <SelectField label="Value" isLabelHidden value={value} options={options} change={set} isRequired />;
  }
  if (field === 'folder') {
    const options = [
      { value: '', label: 'Choose a folder' },
      ...FOLDER_TYPES.map((name) => ({ value: name, label: name })),
    ];
    return <SelectField label="Value" isLabelHidden value={value} options={options} change={set} isRequired />;
  }
  const isDays = type === 'in_last_days';
  return (
    <TextInput
      aria-label="Value"
      required
      type={isDays ? 'number' : field === 'date' ? 'date' : 'text'}
      {...(isDays && { min: bounds.filterDays.min, max: bounds.filterDays.max })}
      maxLength={bounds.filterTree.valueLength}
      value={field === 'date' && !isDays ? value.slice(0, 10) : value}
      onChange={(event) => set(event.currentTarget.value)}
    />
  );
}
