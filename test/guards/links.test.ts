import { existsSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { readRepositoryFile, repositoryFiles, ROOT } from './sources.ts';

const pages = repositoryFiles('.').filter((path) => path.endsWith('.md'));
const LINK = /\]\(([^()\s]+)\)|(?:src|srcset|href)="([^"\s]+)"/g;

/** The page without its code, where brackets and quotes are no links. */
const proseOf = (page: string) =>
  readRepositoryFile(page)
    .replace(/^(`{3,}).*?^\1/gms, '')
    .replace(/`[^`\n]*`/g, '');

interface Link {
  page: string;
  target: string;
  /** Relative to the repository. */
  path: string;
}

const links: Link[] = pages.flatMap((page) =>
  [...proseOf(page).matchAll(LINK)]
    .map(([, link, source]) => link ?? source ?? '')
    .filter((target) => !/^(https?|mailto):/.test(target))
    .map((target) => {
      const [file = ''] = target.split('#');
      return { page, target, path: file === '' ? page : normalize(join(dirname(page), file)) };
    }),
);

const toldOf = ({ page, target }: Link) => `${page}: ${target}`;

describe('links between the files of the repository', () => {
  it('lead to a file or folder that exists', () => {
    expect(links.length).toBeGreaterThan(80);
    expect(links.filter(({ path }) => !existsSync(join(ROOT, path))).map(toldOf)).toEqual([]);
  });

  it('lead to each page of docs from the first page of docs', () => {
    const from = links.filter(({ page }) => page === 'docs/README.md').map(({ path }) => path.replace(/\/$/, ''));
    const isReached = (page: string) => from.includes(page) || from.includes(dirname(page));
    expect(pages.filter((page) => page.startsWith('docs/') && page !== 'docs/README.md' && !isReached(page))).toEqual(
      [],
    );
  });
});

it('gives each decision a number of its own, in its title too', () => {
  const decisions = pages.filter((page) => /^docs\/decisions\/\d/.test(page));
  const numbers = decisions.map((page) => Number(/\/(\d+)-/.exec(page)?.[1]));
  expect(new Set(numbers).size).toBe(numbers.length);
  const titles = decisions.map((page) => Number(/^# (\d+)\. /.exec(readRepositoryFile(page))?.[1]));
  expect(titles).toEqual(numbers);
});
