import { Link } from 'wouter';
import { CopyText } from '../parts/copy-text.tsx';
import { Icon } from '../parts/icon.tsx';
import type { AttentionItem } from './attention.ts';
import classes from './home.module.css';

export function AttentionList({ items }: { items: readonly AttentionItem[] }) {
  return (
    <ul className={classes.list}>
      {items.map(({ id, tone, title, text, href, command }) => (
        <li key={id} className={classes.item} data-tone={tone}>
          <span className={classes.icon}>
            <Icon name="warning" />
          </span>
          <span className={classes.words}>
            {href ? <Link href={href}>{title}</Link> : <strong>{title}</strong>}
            <span className="soft">{text}</span>
            {command && <CopyText text={command} />}
          </span>
        </li>
      ))}
    </ul>
  );
}
