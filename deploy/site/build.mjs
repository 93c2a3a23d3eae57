// Writes the pages of this repository as a site: npm run site -- --repository https://github.com/acme/postroom [--out folder]
// [--mermaid mermaid.min.js]. Without mermaid a diagram is shown as the text that it is made of.
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { execFileSync } from 'node:child_process';
import { render } from './markdown.mjs';
import { addressOf, createLinks } from './links.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const { values } = parseArgs({
  options: {
    repository: { type: 'string' },
    out: { type: 'string', default: join(ROOT, 'dist/site') },
    mermaid: { type: 'string' },
  },
});
const { repository, out, mermaid } = values;
if (!repository) {
  console.error(
    '--repository is missing. Name the address of the sources: npm run site -- --repository https://github.com/acme/postroom',
  );
  process.exit(1);
}

const read = (path) => readFileSync(join(ROOT, path), 'utf8');
const template = read('deploy/site/page.html');
const tracked = execFileSync('git', ['ls-files', '-z', '*.md'], { cwd: ROOT, encoding: 'utf8' }).split('\0');
const pages = new Map(tracked.filter(Boolean).map((path) => [path, read(path)]));
for (const folder of ['docs/decisions', 'docs/runbooks']) pages.set(`${folder}/README.md`, listOf(folder));
const links = createLinks({ root: ROOT, repository, pages: new Set(pages.keys()) });
const menu = /^## Documentation\n+((?:- .*\n)+)/m.exec(read('README.md'))[1].replaceAll(/ · |(?<=\*\*): /g, '\n');

rmSync(out, { recursive: true, force: true });
for (const [path, text] of pages) writePage(path, text);
for (const path of links.images()) copy(path, path);
for (const name of ['style.css', 'diagrams.js']) copy(`deploy/site/${name}`, name);
copy('services/app/web/src/icon.svg', 'icon.svg');
if (mermaid) cpSync(mermaid, join(out, 'mermaid.min.js'));
console.log(`${pages.size} pages are in ${out}. Open ${join(out, 'index.html')}.`);

function copy(from, to) {
  mkdirSync(dirname(join(out, to)), { recursive: true });
  cpSync(join(ROOT, from), join(out, to));
}

/** GitHub lists the files of a folder by itself; the site needs a page for that. */
function listOf(folder) {
  const files = readdirSync(join(ROOT, folder)).filter((name) => name.endsWith('.md'));
  const title = folder.slice('docs/'.length).replace(/^./, (first) => first.toUpperCase());
  return `# ${title}\n\n${files.map((name) => `- [${titleOf(read(`${folder}/${name}`))}](${name})`).join('\n')}\n`;
}

function titleOf(text) {
  return /^# (.+)$/m.exec(text)?.[1] ?? 'Postroom';
}

function diagrams(top) {
  return `<script defer src="${top}mermaid.min.js"></script><script defer src="${top}diagrams.js"></script>`;
}

/** The menu, in which the link to the page itself is marked. */
function menuFor(path) {
  const html = render(menu, (target) => links.from(path, 'README.md', target));
  const own = `href="${links.from(path, 'README.md', path)}"`;
  return html.replace(own, `${own} aria-current="page"`);
}

function writePage(path, text) {
  const address = addressOf(path);
  const top = '../'.repeat(address.split('/').length - 1);
  const parts = {
    TITLE: path === 'README.md' ? 'Postroom' : `${titleOf(text)} - Postroom`,
    TOP: top,
    MENU: menuFor(path),
    BODY: render(text, (target) => links.from(path, path, target)),
    DIAGRAMS: mermaid && text.includes('```mermaid') ? diagrams(top) : '',
  };
  const file = join(out, address);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(
    file,
    template.replace(/\{(TITLE|TOP|MENU|BODY|DIAGRAMS)\}/g, (_all, name) => parts[name]),
  );
}
