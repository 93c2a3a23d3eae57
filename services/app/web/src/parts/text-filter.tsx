import type { ReactNode } from 'react';
import { TextInput } from '@mantine/core';
import { useUrlState } from '../url/url-state.ts';
import { Icon } from './icon.tsx';

/** So many fit on a screen. */
const FEW = 8;

/** A long list can be narrowed by a text, which stands in the address. */
export function useTextFilter<Item>(
  label: string,
  items: readonly Item[],
  textsOf: (item: Item) => readonly string[],
): [shown: readonly Item[], field: ReactNode] {
  const [{ q = '' }, change] = useUrlState(['q']);
  if (items.length <= FEW && q === '') return [items, null];
  const asked = q.toLowerCase();
  const shown = items.filter((item) => textsOf(item).some((text) => text.toLowerCase().includes(asked)));
  const field = (
    <div className="filter">
      <TextInput
        aria-label={label}
        type="search"
        placeholder={label}
        leftSection={<Icon name="search" size={14} />}
        data-filter
        value={q}
        onChange={(event) => change({ q: event.currentTarget.value }, { replace: true })}
      />
      {q !== '' && (
        <span role="status" className="soft">
          {shown.length} of {items.length}
        </span>
      )}
    </div>
  );
  return [shown, field];
}
