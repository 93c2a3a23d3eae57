import { Button } from '@mantine/core';
import type { MailItemAnswer } from '@postroom/app/answers';
import { LabelMenu } from './label-menu.tsx';
import classes from './mail.module.css';
import type { Triage } from './triage.ts';

interface Props {
  items: readonly MailItemAnswer[];
  triage: Triage;
  clear(): void;
}

/** The changes of several emails at once. */
export function SelectionBar({ items, triage, clear }: Props) {
  if (items.length === 0) return null;
  const isAnyUnread = items.some(({ isRead }) => !isRead);
  const isAnyUnstarred = items.some(({ isStarred }) => !isStarred);
  const then = (act: () => void) => () => {
    act();
    clear();
  };
  return (
    <section aria-label="Selection" className={classes.selection}>
      <span role="status">{items.length} selected</span>
      <Button onClick={then(() => triage.done(items))}>Done</Button>
      <Button variant="default" onClick={() => triage.markRead(items, isAnyUnread)}>
        {isAnyUnread ? 'Mark as read' : 'Mark as unread'}
      </Button>
      <Button variant="default" onClick={() => triage.star(items, isAnyUnstarred)}>
        {isAnyUnstarred ? 'Star' : 'Unstar'}
      </Button>
      <LabelMenu items={items} set={(label, isOn) => triage.label(items, label, isOn)} />
      <Button variant="default" onClick={then(() => triage.trash(items))}>
        Trash
      </Button>
      <Button variant="subtle" color="gray" data-page-key="Escape" onClick={clear}>
        Clear
      </Button>
    </section>
  );
}
