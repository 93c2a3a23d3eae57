import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

export const ROOT = resolve(__dirname, '../..');

export interface Source {
  /** Relative to the repository, with forward slashes. */
  path: string;
  text: string;
  /** "libs/errors", "services/gateway", "deploy/local"; empty for what belongs to no package. */
  home: string;
}

/** The TypeScript of the product, tests and their supports left out. */
export function productSources(): Source[] {
  return repositoryFiles('libs', 'services', 'deploy')
    .filter((path) => /^(libs|services|deploy)\/[^/]+\/src\/.*\.ts$/.test(path) && !path.endsWith('.test.ts'))
    .map(readSource);
}

/** The folders of `services/`. */
export const serviceFolders = (): string[] => [
  ...new Set(
    repositoryFiles('services')
      .map((path) => path.split('/')[1] ?? '')
      .sort(),
  ),
];

/** Tracked or new, as git sees them: neither generated nor installed. */
export function repositoryFiles(...folders: string[]): string[] {
  const listed = execFileSync(
    'git',
    ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--', ...folders],
    {
      cwd: ROOT,
      encoding: 'utf8',
    },
  );
  return [...new Set(listed.split('\0'))].filter((path) => path !== '' && exists(path));
}

function readSource(path: string): Source {
  const home = path.split('/').slice(0, 2).join('/');
  return { path, text: readRepositoryFile(path), home: path.includes('/src/') ? home : '' };
}

export function readRepositoryFile(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}

/** The import specifiers of a file, as written. */
export function importsOf(source: Source): string[] {
  const pattern =
    /(?:^|\n)\s*(?:import|export)\b[^;'"]*?from\s*'([^']+)'|\bimport\(\s*'([^']+)'\s*\)|\n\s*import\s*'([^']+)'/g;
  return [...source.text.matchAll(pattern)].map(([, from, dynamic, bare]) => from ?? dynamic ?? bare ?? '');
}

/** Each line of a source with its number, comments left out. */
export function codeLines(source: Source): { number: number; line: string }[] {
  return source.text
    .split('\n')
    .map((line, index) => ({ number: index + 1, line: line.replace(/\/\/.*$/, '') }))
    .filter(({ line }) => !/^\s*(\*|\/\*)/.test(line));
}

function exists(path: string): boolean {
  try {
    readFileSync(join(ROOT, path));
    return true;
  } catch {
    return false;
  }
}
