import type { ReactNode } from 'react';
import classes from './empty-state.module.css';

/** A list without entries: the sentence, and the one action that ends it. */
export function EmptyState({ title, text, action }: { title: string; text: ReactNode; action?: ReactNode }) {
  return (
    <div className={classes.empty}>
      <p className={classes.title}>{title}</p>
      <p className={classes.text}>{text}</p>
      {action && <div className={classes.action}>{action}</div>}
    </div>
  );
}
