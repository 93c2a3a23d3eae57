import { TextInput } from '@mantine/core';

interface Props {
  from: string;
  to: string;
  latest?: string;
  change(days: { from?: string | null; to?: string | null }): void;
}

/** Two days, both included. */
export function DateRange({ from, to, latest, change }: Props) {
  return (
    <span className="range">
      <TextInput
        aria-label="From"
        type="date"
        max={to || latest}
        value={from}
        data-filter
        onChange={(event) => change({ from: event.currentTarget.value || null })}
      />
      <span className="soft" aria-hidden>
        to
      </span>
      <TextInput
        aria-label="To"
        type="date"
        min={from}
        max={latest}
        value={to}
        onChange={(event) => change({ to: event.currentTarget.value || null })}
      />
    </span>
  );
}
