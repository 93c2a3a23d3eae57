import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { commands } from '../../services/operator/src/commands/commands.ts';
import { ROOT } from './sources.ts';

const PAGES = [
  'README.md',
  'docs/commands.md',
  'docs/mailboxes.md',
  'docs/kubernetes.md',
  'docs/operating.md',
  'docs/webhooks.md',
  'charts/postroom/README.md',
  'charts/postroom/templates/NOTES.txt',
];
const RUNBOOKS = 'docs/runbooks';
const pages = [...PAGES, ...readdirSync(join(ROOT, RUNBOOKS)).map((name) => join(RUNBOOKS, name))];

/** Captures the arguments of the command line, up to a pipe, a backtick or the end of the line. */
const CALL = /(?:postroom\.js|npm run (?:--silent )?postroom --|`postroom) ([^\n`|]+)/g;

interface Call {
  page: string;
  line: string;
  words: string[];
}

const calls: Call[] = pages.flatMap((page) =>
  [...readFileSync(join(ROOT, page), 'utf8').matchAll(CALL)].map(([, line = '']) => ({
    page,
    line,
    words: line.trim().split(/\s+/),
  })),
);

const commandOf = ({ words }: Call) => commands.find(({ path }) => path.every((word, index) => words[index] === word));

describe('commands that people are told to give', () => {
  it('are there', () => {
    expect(calls.length).toBeGreaterThan(8);
    const unknown = calls.filter((call) => call.words[0] !== '--help' && !commandOf(call));
    expect(unknown.map(({ page, line }) => `${page}: ${line}`)).toEqual([]);
  });

  it('know the options that stand there', () => {
    const unknown = calls.flatMap((call) => {
      const known = ['--help', '--json', ...Object.values(commandOf(call)?.options ?? {}).map(({ flags }) => flags)];
      const given = call.words.filter((word) => word.startsWith('--') && word.length > 2);
      return given
        .filter((option) => !known.some((flags) => flags.split(/[ ,]+/).includes(option)))
        .map((option) => `${call.page}: ${call.line}: ${option}`);
    });
    expect(unknown).toEqual([]);
  });
});
