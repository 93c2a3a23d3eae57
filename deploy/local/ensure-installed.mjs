// Makes a fresh clone runnable: checks Node, installs what the lock file names, and generates code.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const OLDEST = [20, 19];
/** The generated files, each with its sources. */
const GENERATED = {
  'libs/proto/src/postroom': ['proto'],
  'libs/client/src/operations.ts': ['libs/client/generate.mjs', 'docs/openapi.json', 'docs/openapi-features.json'],
};

export function ensureInstalled(say = console.error) {
  requireNode();
  if (!isInstalled()) {
    say('Installing dependencies (npm ci); the first time this takes about half a minute ...');
    npm(
      ['ci', '--no-audit', '--no-fund', '--loglevel=error'],
      'npm ci failed: check the network and run it by hand to see why',
    );
  }
  if (!isGenerated()) {
    say('Generating code (npm run generate) ...');
    npm(['run', '--silent', 'generate'], 'npm run generate failed: run it by hand to see why');
  }
}

function requireNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1])) return;
  console.error(
    `Postroom needs Node ${OLDEST.join('.')} or newer; this is ${process.versions.node}. Install a newer Node and try again.`,
  );
  process.exit(1);
}

/**
 * Compares the list of npm in node_modules with the lock file. npm writes its list last, so an interrupted install is
 * noticed. The age of the files says nothing: a change of the branch makes a lock file new that names the same.
 */
export function isInstalled(folder = root) {
  const [wanted, installed] = [`${folder}package-lock.json`, `${folder}node_modules/.package-lock.json`].map(
    packagesOf,
  );
  return Object.entries(wanted).every(([path, { version, integrity, optional }]) => {
    const found = installed[path];
    if (!found) return path === '' || optional === true;
    return found.version === version && found.integrity === integrity;
  });
}

/** The sources of a later commit are younger than what was generated before it came. */
export function isGenerated(folder = root) {
  return Object.entries(GENERATED).every(([target, sources]) => {
    const made = filesOf(folder + target).map(timeOf);
    const youngest = Math.max(...sources.flatMap((source) => filesOf(folder + source)).map(timeOf));
    return made.length > 0 && Math.min(...made) >= youngest;
  });
}

const timeOf = (file) => statSync(file).mtimeMs;

function filesOf(path) {
  if (!existsSync(path)) return [];
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => `${parentPath}/${name}`);
}

function packagesOf(lockFile) {
  return existsSync(lockFile) ? JSON.parse(readFileSync(lockFile, 'utf8')).packages : {};
}

function npm(args, failure) {
  const script = process.env.npm_execpath;
  // Standard output is for the ready line, so the output of npm goes to standard error.
  const options = { cwd: root, stdio: ['ignore', 2, 2] };
  const result = script?.endsWith('.js')
    ? spawnSync(process.execPath, [script, ...args], options)
    : spawnSync('npm', args, { ...options, shell: process.platform === 'win32' });
  if (result.status === 0) return;
  console.error(failure);
  process.exit(1);
}
