import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { isGenerated, isInstalled } from './is-installed.ts';

const LATER = new Date('2090-01-01T00:00:00Z');
const express = { version: '5.3.0', integrity: 'sha512-a' };
const forOtherPlatforms = { version: '1.0.0', optional: true };
let folder: string;

beforeEach(() => {
  folder = `${mkdtempSync(join(tmpdir(), 'postroom-installed-'))}/`;
  mkdirSync(`${folder}node_modules`);
  write('package-lock.json', {
    '': { version: '0.1.0' },
    'node_modules/express': express,
    'node_modules/x': forOtherPlatforms,
  });
});
afterEach(() => rmSync(folder, { recursive: true }));

const write = (file: string, packages: object) => writeFileSync(folder + file, JSON.stringify({ packages }));
const installed = (packages: object) => write('node_modules/.package-lock.json', packages);

it('is installed when npm installed what the lock file names, however new the lock file is', () => {
  installed({ 'node_modules/express': express });
  utimesSync(`${folder}package-lock.json`, LATER, LATER);
  expect(isInstalled(folder)).toBe(true);
});

it.each([
  ['a package is missing', {}],
  ['a package has another version', { 'node_modules/express': { ...express, version: '5.2.0' } }],
  ['a package has other content', { 'node_modules/express': { ...express, integrity: 'sha512-b' } }],
])('is not installed when %s, although its list is the newer file', (_what, packages) => {
  installed(packages);
  utimesSync(`${folder}node_modules/.package-lock.json`, LATER, LATER);
  expect(isInstalled(folder)).toBe(false);
});

it('is not installed when an install was interrupted', () => {
  expect(isInstalled(folder)).toBe(false);
});

it('is generated until a source is younger than what was made of it', () => {
  const made = ['libs/proto/src/postroom/v1/events.ts', 'libs/client/src/operations.ts'];
  const sources = ['proto/postroom/v1/events.proto', 'libs/client/generate.mjs', 'docs/openapi.json'];
  for (const file of [...sources, ...made]) {
    mkdirSync(dirname(folder + file), { recursive: true });
    writeFileSync(folder + file, '');
  }
  expect(isGenerated(folder)).toBe(true);
  utimesSync(folder + sources[0], LATER, LATER);
  expect(isGenerated(folder)).toBe(false);
  for (const file of made) utimesSync(folder + file, LATER, LATER);
  expect(isGenerated(folder)).toBe(true);
  rmSync(`${folder}libs/client`, { recursive: true });
  expect(isGenerated(folder)).toBe(false);
});
