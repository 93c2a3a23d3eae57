/** At the prices that the operator has configured, which have no currency. */
export const money = (value: number): string =>
  value.toLocaleString('en', { minimumFractionDigits: 2, maximumFractionDigits: 4 });
