import type { SyncAnswer } from '@postroom/app/answers';
import classes from './mailboxes.module.css';
import { progressOfSync } from './progress.ts';

export function SyncProgress({ sync }: { sync: SyncAnswer }) {
  const { done, total, percent } = progressOfSync(sync);
  const present = sync.folders.find(({ isComplete }) => !isComplete);
  return (
    <div className={classes.progress}>
      <progress aria-label="First sync" max={100} value={percent} />
      <span className="soft">
        {percent}% · {done.toLocaleString('en')} of {total.toLocaleString('en')} emails
        {present && ` · ${present.name}`}
      </span>
    </div>
  );
}
