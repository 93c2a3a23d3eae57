// Loads TypeScript as jest does. tsx gives each function its name whenever the code around it runs, which costs a third of
// the time of a simulation.
const { readFileSync } = require('node:fs');
const Module = require('node:module');
const { join } = require('node:path');
const { transformSync } = require('@swc/core');

const mutation = process.env.POSTROOM_MUTATION && JSON.parse(process.env.POSTROOM_MUTATION);
const mutated = mutation && join(__dirname, '../..', mutation.file);

Module._extensions['.ts'] = (module, filename) => {
  const { code } = transformSync(sourceOf(filename), {
    filename,
    swcrc: false,
    sourceMaps: 'inline',
    jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
    module: { type: 'commonjs' },
  });
  module._compile(code, filename);
};

/** With the mutation of this process, if it is in this file; see mutations/. */
function sourceOf(filename) {
  const source = readFileSync(filename, 'utf8');
  if (filename !== mutated) return source;
  if (source.split(mutation.code).length !== 2) throw new Error(`${mutation.file} has this not once: ${mutation.code}`);
  return source.replace(mutation.code, () => mutation.instead);
}
