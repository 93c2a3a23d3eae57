import type { LabelRefAnswer } from '@postroom/app/answers';
import classes from './label-mark.module.css';

/** The colours of the contract; any other is stored, and shown without one. */
export const LABEL_COLORS = ['Pink', 'Blue', 'Red', 'Yellow', 'Green', 'Purple', 'Orange'] as const;

export function LabelMark({ label }: { label: Pick<LabelRefAnswer, 'name' | 'color'> }) {
  return (
    <span className={classes.label}>
      <span className={classes.dot} data-color={label.color} aria-hidden />
      {label.name}
    </span>
  );
}
