// `node -r @postroom/from-source/register` runs TypeScript as jest does. Only types are taken away: tsx names each function whenever the
// code around it runs, which costs a third of what is busy, and it takes twice as long to load a service.
const { createHash } = require('node:crypto');
const { mkdirSync, readFileSync, renameSync, writeFileSync } = require('node:fs');
const Module = require('node:module');
const { join } = require('node:path');
const { devDependencies } = require('./package.json');

/** One file for each source, with what was compiled last. */
const KEPT = join(__dirname, '../../node_modules/.cache/postroom-from-source');
const OPTIONS = {
  swcrc: false,
  sourceMaps: 'inline',
  jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
  module: { type: 'commonjs', ignoreDynamic: true },
};
const hashOf = (...parts) => createHash('sha256').update(parts.join('\0')).digest('hex');

process.setSourceMapsEnabled(true);
Module._extensions['.ts'] = (module, filename) => module._compile(compiled(filename), filename);
// Node would read the source maps of all packages too, which takes as long as loading them.
const load = Module._extensions['.js'];
Module._extensions['.js'] = (module, filename) => {
  process.setSourceMapsEnabled(false);
  try {
    load(module, filename);
  } finally {
    process.setSourceMapsEnabled(true);
  }
};

function compiled(filename) {
  const source = readFileSync(filename, 'utf8');
  const path = join(KEPT, hashOf(filename));
  const mark = `\n// ${hashOf(source, JSON.stringify([OPTIONS, devDependencies]))}`;
  const kept = read(path);
  if (kept?.endsWith(mark)) return kept;
  const code = compile(source, filename) + mark;
  keep(path, code);
  return code;
}

function compile(source, filename) {
  return require('@swc/core').transformSync(source, { ...OPTIONS, filename }).code;
}

function read(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

/** Several processes compile at once, and none may read half a file. Where nothing can be kept, everything runs all the same. */
function keep(path, code) {
  try {
    mkdirSync(KEPT, { recursive: true });
    const draft = `${path}.${process.pid}`;
    writeFileSync(draft, code);
    renameSync(draft, path);
  } catch {}
}

exports.compile = compile;
