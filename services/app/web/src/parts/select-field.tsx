import { useId } from 'react';
import classes from './select-field.module.css';

interface Option<Value extends string> {
  value: Value;
  label: string;
}

interface Props<Value extends string> {
  label: string;
  isLabelHidden?: boolean;
  isRequired?: boolean;
  isDisabled?: boolean;
  description?: string;
  value: Value;
  options: readonly Option<Value>[];
  change(value: Value): void;
}

/** The platform's own list: it is fast, has the keys that people know, and fits a phone. */
export function SelectField<Value extends string>(props: Props<Value>) {
  const { label, isLabelHidden, isRequired, isDisabled, description, value, options, change } = props;
  const id = useId();
  return (
    <span className={classes.field}>
      <label htmlFor={id} className={isLabelHidden ? 'unseen' : classes.label}>
        {label}
      </label>
      {description && <span className={classes.description}>{description}</span>}
      <select
        id={id}
        className={classes.select}
        value={value}
        required={isRequired}
        disabled={isDisabled}
        onChange={(event) => {
          const chosen = options.find((option) => option.value === event.currentTarget.value);
          if (chosen) change(chosen.value);
        }}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </span>
  );
}
