import { memo } from 'react';
import type { MailItemAnswer } from '@postroom/app/answers';
import { Link } from 'wouter';
import { Icon, type IconName } from '../parts/icon.tsx';
import { LabelMark } from '../parts/label-mark.tsx';
import { Moment } from '../time/moment.tsx';
import classes from './mail.module.css';
import { peopleOf, subjectOf } from './mail-words.ts';

export interface RowActs {
  select(item: MailItemAnswer): void;
  star(item: MailItemAnswer): void;
  toggleRead(item: MailItemAnswer): void;
  done(item: MailItemAnswer): void;
  trash(item: MailItemAnswer): void;
}

interface Props {
  item: MailItemAnswer;
  href: string;
  isSelected: boolean;
  /** Sent mail shows its recipients. */
  isOutgoing: boolean;
  acts: RowActs;
}

/** More would leave the subject no room. */
const MOST_LABELS = 3;

/** Plain elements, because a scrolled page makes many rows in one frame, and each component of the library has its price. */
export const MailRow = memo(function MailRow({ item, href, isSelected, isOutgoing, acts }: Props) {
  const { isRead, isStarred, isDraft, attachmentCount, snippet, tags, date } = item;
  const subject = subjectOf(item);
  return (
    <div className={classes.cells} data-unread={!isRead || undefined} data-selected={isSelected || undefined}>
      <input
        type="checkbox"
        className={classes.check}
        aria-label={`Select ${subject}`}
        data-row-key="x"
        checked={isSelected}
        onChange={() => acts.select(item)}
      />
      <RowButton icon="star" name="Star" rowKey="s" isOn={isStarred} act={() => acts.star(item)} />
      <Link href={href} className={classes.open} data-row-key="Enter">
        <span className={classes.from}>
          {!isRead && <span className="unseen">Unread. </span>}
          {isDraft && <span className={classes.draft}>Draft </span>}
          {peopleOf(item, isOutgoing)}
        </span>
        <span className={classes.words}>
          {tags.slice(0, MOST_LABELS).map((tag) => (
            <span key={tag.id} className={classes.tag}>
              <LabelMark label={tag} />
            </span>
          ))}
          <span className={classes.subject}>{subject}</span>
          <span className={classes.snippet}>{snippet}</span>
        </span>
      </Link>
      <span className={classes.facts}>
        {attachmentCount > 0 && (
          <span
            className={classes.clip}
            title={attachmentCount === 1 ? '1 attachment' : `${attachmentCount} attachments`}
          >
            <Icon name="attachment" size={14} />
            <span className="unseen">Has attachments</span>
          </span>
        )}
        <Moment at={date} />
      </span>
      <span className={classes.quick}>
        <RowButton icon="check" name="Done" rowKey="e" act={() => acts.done(item)} />
        <RowButton
          icon="mailbox"
          name={isRead ? 'Mark as unread' : 'Mark as read'}
          rowKey="u"
          act={() => acts.toggleRead(item)}
        />
        <RowButton icon="trash" name="Trash" rowKey="#" act={() => acts.trash(item)} />
      </span>
    </div>
  );
});

interface RowButtonProps {
  icon: IconName;
  name: string;
  rowKey: string;
  /** Of a button that stays pressed. */
  isOn?: boolean;
  act(): void;
}

function RowButton({ icon, name, rowKey, isOn, act }: RowButtonProps) {
  return (
    <button
      type="button"
      className={classes.button}
      aria-label={name}
      title={`${name} (${rowKey})`}
      aria-pressed={isOn}
      data-on={isOn || undefined}
      data-row-key={rowKey}
      onClick={act}
    >
      <Icon name={icon} size={15} />
    </button>
  );
}
