/** A cell that begins with one of these is a formula to a spreadsheet, whoever chose the name in it. */
const FORMULA = /^[=+\-@\t\r]/;

/** One line of RFC 4180. */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map(toCell).join(',')}\r\n`;
}

function toCell(text: string): string {
  const plain = FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}
