import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, normalize } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { repositoryFiles, ROOT } from './sources.ts';

const REPOSITORY = 'https://git.example/acme/postroom';
const out = mkdtempSync(join(tmpdir(), 'postroom-site-'));
const build = (...args: string[]) =>
  execFileSync(process.execPath, [join(ROOT, 'deploy/site/build.mjs'), ...args], { encoding: 'utf8', stdio: 'pipe' });

build('--repository', REPOSITORY, '--out', out);
const files = readdirSync(out, { recursive: true, encoding: 'utf8' });
const pages = new Map(
  files.filter((path) => path.endsWith('.html')).map((path) => [path, readFileSync(join(out, path), 'utf8')]),
);
const idsOf = (page: string) => new Set([...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id));

interface Link {
  page: string;
  target: string;
  /** Relative to the site. */
  path: string;
  anchor: string | undefined;
}

const links: Link[] = [...pages].flatMap(([page, html]) =>
  [...html.replace(/<pre.*?<\/pre>/gs, '').matchAll(/ (?:src|srcset|href)="([^"]+)"/g)]
    .map(([, target = '']) => target)
    .filter((target) => !/^(https?|mailto):/.test(target))
    .map((target) => {
      const [file = '', anchor] = target.split('#');
      return { page, target, path: file === '' ? page : normalize(join(dirname(page), file)), anchor };
    }),
);
const toldOf = ({ page, target }: Link) => `${page}: ${target}`;

describe('the site of the documentation', () => {
  afterAll(() => rmSync(out, { recursive: true, force: true }));

  it('has every page of the repository', () => {
    const wanted = repositoryFiles('.')
      .filter((path) => path.endsWith('.md'))
      .map((path) => path.replace(/README\.md$/, 'index.html').replace(/\.md$/, '.html'));
    expect(wanted.length).toBeGreaterThan(50);
    expect(wanted.filter((path) => !pages.has(path))).toEqual([]);
  });

  it('has the target of each of its links', () => {
    expect(links.length).toBeGreaterThan(1_000);
    expect(links.filter(({ path }) => !existsSync(join(out, path))).map(toldOf)).toEqual([]);
  });

  it('has the heading that a link names', () => {
    const isLost = ({ path, anchor }: Link) => anchor !== undefined && !idsOf(pages.get(path) ?? '').has(anchor);
    expect(links.some(({ anchor }) => anchor !== undefined && anchor !== 'content')).toBe(true);
    expect(links.filter(isLost).map(toldOf)).toEqual([]);
  });

  it('leads to the repository for what is no page', () => {
    expect(pages.get('index.html')).toContain(`href="${REPOSITORY}/blob/HEAD/LICENSE"`);
    expect([...pages.values()].join('')).toContain(`href="${REPOSITORY}/tree/HEAD/`);
  });

  it('shows diagrams as text where mermaid is not given, and loads nothing from elsewhere', () => {
    expect(pages.get('index.html')).toContain('<pre class="mermaid">flowchart LR');
    expect([...pages.values()].filter((html) => /<(script|link|img)[^>]+(src|href)="https?:/.test(html))).toEqual([]);
  });
});

it('has no semicolon in the text of a diagram, where mermaid would end the line', () => {
  const lines = [...pages.values()].flatMap((html) =>
    [...html.matchAll(/<pre class="mermaid">(.*?)<\/pre>/gs)].flatMap(([, diagram = '']) => diagram.split('\n')),
  );
  expect(lines.length).toBeGreaterThan(40);
  expect(lines.filter((line) => line.replace(/&[a-z]+;/g, '').includes(';'))).toEqual([]);
});

it('marks the page itself in the menu', () => {
  expect(pages.get('docs/api.html')).toContain('<a href="api.html" aria-current="page">the API</a>');
});

it('says what is missing when no repository is named', () => {
  expect(() => build()).toThrow(/--repository is missing/);
});
