const rowsOfPage = () => [...document.querySelectorAll<HTMLElement>('[data-row]')];

/** Moves the focus to the next or the previous row. */
export function moveRow(step: 1 | -1): boolean {
  const rows = rowsOfPage();
  const here = rows.findIndex((row) => row.contains(document.activeElement));
  const next = rows[here === -1 ? (step === 1 ? 0 : rows.length - 1) : here + step];
  next?.focus();
  next?.scrollIntoView({ block: 'nearest' });
  return next !== undefined;
}

/** Presses the control of the focused row that names this key. A row that goes away hands the focus to its neighbour. */
export function pressInRow(key: string): boolean {
  const focused = document.activeElement;
  const row = focused?.closest<HTMLElement>('[data-row]');
  // On a control, Enter is the browser's.
  if (!row || (key === 'Enter' && focused !== row)) return false;
  const control = [...row.querySelectorAll<HTMLElement>('[data-row-key]')].find(
    ({ dataset }) => dataset['rowKey'] === key,
  );
  if (!control) return false;
  const rows = rowsOfPage();
  const at = rows.indexOf(row);
  const neighbour = rows[at + 1] ?? rows[at - 1];
  control.click();
  requestAnimationFrame(() => {
    if (!row.isConnected) neighbour?.focus();
  });
  return true;
}
