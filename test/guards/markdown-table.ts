/** Formatted as the formatter writes it, so that a generated table stays as it is. */
export function markdownTable(head: string[], rows: string[][]): string {
  const widths = head.map((cell, column) =>
    Math.max(...[head, ...rows].map((row) => row[column]?.length ?? 0), cell.length),
  );
  const line = (cells: string[], filler = ' ') =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0, filler)).join(' | ')} |\n`;
  return [
    line(head),
    line(
      head.map(() => ''),
      '-',
    ),
    ...rows.map((row) => line(row)),
  ].join('');
}
