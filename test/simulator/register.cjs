// Puts the mutation of this process, if it has one, in place of the code that it changes; see mutations/.
const { readFileSync } = require('node:fs');
const Module = require('node:module');
const { join } = require('node:path');
const { compile } = require('@postroom/from-source/register');

const mutation = process.env.POSTROOM_MUTATION && JSON.parse(process.env.POSTROOM_MUTATION);
const mutated = mutation && join(__dirname, '../..', mutation.file);
const load = Module._extensions['.ts'];

Module._extensions['.ts'] = (module, filename) => {
  if (filename !== mutated) return load(module, filename);
  const source = readFileSync(filename, 'utf8');
  if (source.split(mutation.code).length !== 2) throw new Error(`${mutation.file} has this not once: ${mutation.code}`);
  const changed = source.replace(mutation.code, () => mutation.instead);
  module._compile(compile(changed, filename), filename);
};
