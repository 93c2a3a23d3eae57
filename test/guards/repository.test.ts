import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { isErrorCode } from '@postroom/errors/catalogue';
import { SERVICES } from '@postroom/local/services';
import { collectionNames, writerOf } from '@postroom/mail-store/collections';
import { expectGolden } from './golden.ts';
import { markdownTable } from './markdown-table.ts';
import { productSources, readRepositoryFile, repositoryFiles, ROOT, serviceFolders } from './sources.ts';

interface LockedPackage {
  resolved?: string;
  optionalDependencies?: Record<string, string>;
  link?: boolean;
}

const manifest = JSON.parse(readRepositoryFile('package.json')) as {
  scripts: Record<string, string>;
  scarfSettings?: object;
};
const locked = (JSON.parse(readRepositoryFile('package-lock.json')) as { packages: Record<string, LockedPackage> })
  .packages;

const secondFolder = (path: string) => path.split('/')[1] ?? '';
const pages = repositoryFiles().filter((path) => path.endsWith('.md'));

describe('the lock file', () => {
  it('names every optional package of every platform, so that npm ci works on all of them', () => {
    const names = new Set(Object.keys(locked).map((path) => path.slice(path.lastIndexOf('node_modules/') + 13)));
    const missing = Object.values(locked)
      .flatMap(({ optionalDependencies = {} }) => Object.keys(optionalDependencies))
      .filter((name) => !names.has(name));
    expect(missing).toEqual([]);
  });

  it('names no host: packages come from whichever registry the reader uses', () => {
    expect(Object.entries(locked).filter(([, { resolved }]) => resolved?.includes('://'))).toEqual([]);
  });
});

it('an install reports nothing to anybody: @scarf/scarf, which swagger-ui-dist brings, is switched off', () => {
  expect(manifest.scarfSettings).toEqual({ enabled: false });
});

describe('the pages', () => {
  it.each(pages)('%s: every npm script it names exists', (page) => {
    const named = [...readRepositoryFile(page).matchAll(/npm run (?:--silent |-s )?([a-z][a-z:]*)/g)].map(
      ([, name]) => name ?? '',
    );
    expect(named.filter((name) => !(name in manifest.scripts))).toEqual([]);
  });

  const known = repositoryFiles();
  it.each(pages)('%s: every file it links to exists', (page) => {
    const folder = page.split('/').slice(0, -1);
    const links = [...readRepositoryFile(page).matchAll(/\]\((?!https?:|#|mailto:)([^)#]+)/g)].map(
      ([, link]) => link ?? '',
    );
    const resolve = (link: string) =>
      [...folder, ...link.split('/')]
        .reduce<string[]>(
          (path, part) => (part === '..' ? path.slice(0, -1) : part === '.' || part === '' ? path : [...path, part]),
          [],
        )
        .join('/');
    expect(
      links.map(resolve).filter((path) => !known.some((file) => file === path || file.startsWith(`${path}/`))),
    ).toEqual([]);
  });

  const map = 'docs/architecture.md';
  it('the map says which service writes which collection', () => {
    const page = readRepositoryFile(map);
    const rows = collectionNames.map((name) => [`\`${name}\``, writerOf(name)]);
    const table = markdownTable(['collection', 'written by'], rows);
    expectGolden(join(ROOT, map), page.replace(/(?<=\n)\| collection .*?\n(?=\n)/s, table), 'test/guards/repository');
  });

  it('the map has a line for every service and every lib', () => {
    const homes = ['services', 'libs'].flatMap((folder) => [...new Set(repositoryFiles(folder).map(secondFolder))]);
    const page = readRepositoryFile(map);
    expect(homes.filter((home) => !page.includes(`\n  ${home}/ `))).toEqual([]);
  });

  const readers = productSources().filter(({ path }) => /(config|-fields|run)\.ts$/.test(path));
  // Some are read by the tests alone; and the contract's own words look like variables.
  const others = repositoryFiles('proto', 'test').map(readRepositoryFile).join('\n');
  const isRead = (name: string) => readers.some(({ text }) => text.includes(`${name}:`));
  const isKnown = (name: string) => isRead(name) || isErrorCode(name) || others.includes(name);
  it.each(pages)('%s: every variable it names is read by something', (page) => {
    const named = [...readRepositoryFile(page).matchAll(/\b[A-Z]+_[A-Z_]+\b/g)].map(([name]) => name);
    expect([...new Set(named)].filter((name) => !isKnown(name))).toEqual([]);
  });
});

describe('npm start', () => {
  it('opens every service', () => {
    // The operator's commands are run by hand, against what is open.
    const services = serviceFolders().filter((name) => name !== 'operator');
    expect([...SERVICES].sort()).toEqual(services.sort());
  });
});
