/**
 * Text that begins so is a formula to a spreadsheet, whoever chose the name in it. Where people write decimals with commas,
 * spreadsheets begin a cell at a semicolon, too, and they take the wide forms of these signs.
 */
const FORMULA = /(^|[;\t\r\n])([ \u00A0]*)(?=[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20])/g;

/** One line of RFC 4180. */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map(toCell).join(',')}\r\n`;
}

function toCell(text: string): string {
  const plain = text.replaceAll(FORMULA, "$1'$2");
  return /[",;\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}
