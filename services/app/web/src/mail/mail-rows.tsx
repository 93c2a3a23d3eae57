import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { defaultRangeExtractor, useWindowVirtualizer } from '@tanstack/react-virtual';
import { useMediaQuery } from '@mantine/hooks';
import type { MailItemAnswer } from '@postroom/app/answers';
import { MailRow, type RowActs } from './mail-row.tsx';
import { emailPathOf, type MailState } from './mail-query.ts';
import classes from './mail.module.css';

const WIDE_ROW = 37;
const NARROW_ROW = 76;
const AROUND = 12;
/** The next page is asked for while so many rows are still below. */
const AHEAD = 40;

interface Props {
  items: readonly MailItemAnswer[];
  state: MailState;
  selected: ReadonlySet<string>;
  isOutgoing: boolean;
  acts: RowActs;
  /** Undefined where the list is complete. */
  loadMore: (() => void) | undefined;
  /** The row that has the focus when the page opens. */
  focusId: string | null;
}

/** As many rows as the window shows, however long the list is. */
export function MailRows({ items, state, selected, isOutgoing, acts, loadMore, focusId }: Props) {
  const list = useRef<HTMLUListElement>(null);
  const [focused, setFocused] = useState<string | null>(null);
  const { rows, rowHeight, top } = useVirtualRows(items, focused, list);
  const shown = rows.getVirtualItems();
  const last = shown.at(-1)?.index ?? 0;
  useEffect(() => {
    if (last + AHEAD >= items.length) loadMore?.();
  }, [last, items.length, loadMore]);
  useFocusOnReturn(items, focusId, rows.scrollToIndex);
  return (
    <ul ref={list} aria-label="Emails" className={classes.list} style={{ height: rows.getTotalSize() }}>
      {shown.map(({ key, index, start }) => {
        const item = items[index];
        return (
          item && (
            <li
              key={String(key)}
              data-row
              data-email={item.id}
              tabIndex={-1}
              aria-setsize={loadMore ? -1 : items.length}
              aria-posinset={index + 1}
              className={classes.row}
              style={{ height: rowHeight, transform: `translateY(${start - top}px)` }}
              onFocus={() => setFocused(item.id)}
            >
              <MailRow
                item={item}
                href={emailPathOf(item.id, state)}
                isSelected={selected.has(item.id)}
                isOutgoing={isOutgoing}
                acts={acts}
              />
            </li>
          )
        );
      })}
    </ul>
  );
}

/** The rows around the window, and the one with the focus. */
function useVirtualRows(
  items: readonly MailItemAnswer[],
  focused: string | null,
  list: RefObject<HTMLUListElement | null>,
) {
  const [top, setTop] = useState(0);
  const rowHeight = useMediaQuery('(max-width: 800px)') ? NARROW_ROW : WIDE_ROW;
  const focusedAt = focused === null ? -1 : items.findIndex(({ id }) => id === focused);
  // With another function at each scroll, the virtualizer would measure all rows anew.
  const keyOf = useCallback((at: number) => items[at]?.id ?? at, [items]);
  const rows = useWindowVirtualizer({
    count: items.length,
    estimateSize: () => rowHeight,
    overscan: AROUND,
    scrollMargin: top,
    getItemKey: keyOf,
    // A row that scrolls away with the focus would take it along.
    rangeExtractor: (range) => withRow(defaultRangeExtractor(range), focusedAt),
  });
  useLayoutEffect(() => setTop(list.current?.offsetTop ?? 0), [items.length === 0]);
  useEffect(() => rows.measure(), [rowHeight]);
  return { rows, rowHeight, top };
}

function withRow(range: number[], at: number): number[] {
  return at === -1 || range.includes(at) ? range : [...range, at].sort((one, other) => one - other);
}

/** The way back from an email leads to its row. */
function useFocusOnReturn(
  items: readonly MailItemAnswer[],
  focusId: string | null,
  scrollToIndex: (at: number, options: { align: 'center' }) => void,
): void {
  const isDone = useRef(focusId === null);
  useEffect(() => {
    const at = items.findIndex(({ id }) => id === focusId);
    if (isDone.current || at === -1) return;
    isDone.current = true;
    scrollToIndex(at, { align: 'center' });
    requestAnimationFrame(() =>
      document
        .querySelector<HTMLElement>(`[data-email="${CSS.escape(focusId ?? '')}"]`)
        ?.focus({ preventScroll: true }),
    );
  }, [items, focusId, scrollToIndex]);
}
