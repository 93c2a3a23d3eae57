import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readRepositoryFile, repositoryFiles } from '../guards/sources.ts';
import { CHART, render } from './helm.ts';

/** Commands that a page tells operators to type: `sh` blocks, and `helm` and `kubectl` commands within its text. */
const SHELL = /```sh\n([^]*?)```|`((?:helm|kubectl) -n [^`]+)`/g;
const INDENTED = /^ {2}(kubectl .+)$/gm;
const OPERATOR = /exec deploy\/\S+-operator -- node services\/operator\/dist\/postroom\.js ([^\n]+)/;

const pages = ['docs/operating.md', ...repositoryFiles('docs/runbooks')];
/** The page by which people install: its commands make what the others need. */
const INSTALLING = 'docs/kubernetes.md';

/** Blocks of commands with their pages. The notes of the chart count as a page. */
export function blocksOfPages(): Block[] {
  return [
    ...pages.flatMap(blocksOf),
    ...[...renderNotes().matchAll(INDENTED)].map(([, line]) => ['NOTES', linesOf(line)] as const),
  ];
}

type Block = readonly [page: string, lines: readonly string[]];

const blocksOf = (page: string): Block[] =>
  [...readRepositoryFile(page).matchAll(SHELL)].map(([, block, inline]) => [page, linesOf(block ?? inline)] as const);

/** The values that the page of the installation shows. */
export const shownValues = (): string =>
  /```yaml mine\.yaml\n([^]*?)```/.exec(readRepositoryFile(INSTALLING))?.[1] ?? '';

const linesOf = (text = '') =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);

/** Tells whether a line needs a running process in a pod. A cluster with fake pods has none. */
export const asksPods = (lines: readonly string[]) =>
  lines.some((line) => / (exec|port-forward|logs) |^curl /.test(line));

export const linesOfPages = (): (readonly [page: string, line: string])[] =>
  [...blocksOf(INSTALLING), ...blocksOfPages()].flatMap(([page, lines]) => lines.map((line) => [page, line] as const));

/** Helm shows the notes to whoever installs alone: here they are text in an object. */
export function renderNotes(values: readonly string[] = []): string {
  const chart = mkdtempSync(join(tmpdir(), 'postroom-notes-'));
  cpSync(CHART, chart, { recursive: true });
  cpSync(join(CHART, 'templates/NOTES.txt'), join(chart, 'NOTES.txt'));
  writeFileSync(
    join(chart, 'templates/notes.yaml'),
    'kind: Notes\ntext: {{ tpl (.Files.Get "NOTES.txt") . | quote }}\n',
  );
  const objects = render({ chart, values, fresh: true }) as unknown as { kind: string; text: string }[];
  rmSync(chart, { recursive: true });
  return objects.find(({ kind }) => kind === 'Notes')?.text ?? '';
}

/** Arguments that a line passes to the operator command line, if it calls it. */
export const operatorArguments = (line: string): string[] | undefined => OPERATOR.exec(line)?.[1]?.split(/\s+/);

/** Settings that a line passes with `--set`. */
export const settingsOf = (line: string): string[] => [...line.matchAll(/--set (\S+)/g)].map(([, set = '']) => set);
