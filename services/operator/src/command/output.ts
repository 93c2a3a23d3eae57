import Table from 'cli-table3';
import type { CommandResult } from './command.ts';

/** The result for standard output: one JSON document, or a table for people. */
export function format({ json, lines = [], table }: CommandResult, asJson: boolean): string {
  if (asJson) return `${JSON.stringify(json)}\n`;
  if (!table) return lines.map((line) => `${line}\n`).join('');
  const after = lines.map((line) => `${line}\n`).join('');
  if (table.rows.length === 0) return `none yet\n${after}`;
  // Plain borders and no colours, so that the output is the same in a terminal, a pipe and a log.
  const drawn = new Table({ head: [...table.head], style: { head: [], border: [] } });
  drawn.push(...table.rows.map((row) => row.map(printable)));
  return `${drawn.toString()}\n${after}`;
}

/** Names come from people: a control character in one must not move the cursor. */
export function printable(text: string): string {
  return text.replaceAll(/\p{Cc}+/gu, ' ');
}
