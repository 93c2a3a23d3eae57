// Writes libs/proto/src from the .proto files; runs at install, so that the generated code is never committed.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const AS_BUFFER = `
function asBuffer({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength);
}
`;
const root = fileURLToPath(new URL('..', import.meta.url));
const path = `${root}node_modules/.bin${process.platform === 'win32' ? ';' : ':'}${process.env.PATH}`;
const result = spawnSync('buf', ['generate'], {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, PATH: path },
  shell: process.platform === 'win32',
});
const TARGET = `${root}libs/proto/src/postroom/v1/`;
if (result.status === 0) {
  passBytesOn(TARGET);
  stamp(TARGET);
}
if (result.error) console.error(`proto: buf did not start (${result.error.message}); run npm install again`);
process.exit(result.status ?? 1);

/**
 * Bytes in a message become part of what was received, where ts-proto would copy them: a page is little else, and its
 * copy would be a tenth of what the gateway does for it.
 */
function passBytesOn(folder) {
  for (const name of readdirSync(folder)) {
    const text = readFileSync(folder + name, 'utf8');
    const changed = text.replaceAll('Buffer.from(reader.bytes())', 'asBuffer(reader.bytes())');
    if (changed !== text) writeFileSync(folder + name, changed + AS_BUFFER);
  }
}

/** buf leaves a file alone that would stay the same. The time of now tells that it is not older than its sources. */
function stamp(folder) {
  const now = new Date();
  for (const name of readdirSync(folder)) utimesSync(folder + name, now, now);
}
