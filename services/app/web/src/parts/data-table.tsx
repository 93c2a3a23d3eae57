import type { ReactNode } from 'react';
import classes from './data-table.module.css';

export interface Column<Item> {
  name: string;
  cell(item: Item): ReactNode;
  /** Numbers and actions stand at the end. */
  isAtEnd?: boolean;
  /** Its cells are short: they stay on one line, and leave the width to others. */
  isTight?: boolean;
  /** The name is for screen readers alone. */
  isNameless?: boolean;
}

interface Props<Item> {
  /** The name of the table for screen readers. */
  label: string;
  columns: readonly Column<Item>[];
  items: readonly Item[];
  keyOf(item: Item): string;
  /** Rows that are over and done with are less loud. */
  isQuiet?(item: Item): boolean;
}

/**
 * A table that becomes a list of cards where it does not fit. The roles are written out, because browsers drop those of a
 * table that is not laid out as one.
 */
export function DataTable<Item>({ label, columns, items, keyOf, isQuiet }: Props<Item>) {
  return (
    <table role="table" aria-label={label} className={classes.table}>
      <thead role="rowgroup">
        <tr role="row">
          {columns.map(({ name, isAtEnd, isTight, isNameless }) => (
            <th
              key={name}
              role="columnheader"
              scope="col"
              data-end={isAtEnd || undefined}
              data-tight={isTight || undefined}
            >
              {isNameless ? <span className="unseen">{name}</span> : name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {items.map((item) => (
          <tr key={keyOf(item)} role="row" data-row tabIndex={-1} data-quiet={isQuiet?.(item) || undefined}>
            {columns.map(({ name, cell, isAtEnd, isTight, isNameless }) => (
              <td
                key={name}
                role="cell"
                data-name={isNameless ? undefined : name}
                data-end={isAtEnd || undefined}
                data-tight={isTight || undefined}
                data-nameless={isNameless || undefined}
              >
                {cell(item)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
