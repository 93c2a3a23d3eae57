import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { keepRefreshToken, readGrant, readPassword } from './credential-files.ts';

const folder = mkdtempSync(join(tmpdir(), 'postroom-files-'));
afterAll(() => rmSync(folder, { recursive: true }));
const file = (content: string) => {
  const path = join(folder, 'file.json');
  writeFileSync(path, content, { mode: 0o600 });
  return path;
};
const grantFile = (changes: object) =>
  file(JSON.stringify({ clientId: 'c', clientSecret: 'canary', refreshToken: 'canary-r', ...changes }));

describe('a file of an OAuth grant', () => {
  it('names its endpoint, or a provider that has one', () => {
    const own = { tokenEndpoint: 'https://tokens.example/t', scope: 's' };
    expect(readGrant(grantFile(own), undefined)).toEqual({
      ...own,
      clientId: 'c',
      clientSecret: 'canary',
      refreshToken: 'canary-r',
    });
    const byFile = readGrant(grantFile({ preset: 'microsoft365' }), 'gmail');
    expect(byFile).toMatchObject({
      tokenEndpoint: expect.stringContaining('microsoftonline'),
      scope: expect.stringContaining('SMTP'),
    });
    expect(readGrant(grantFile({}), 'gmail').tokenEndpoint).toBe('https://oauth2.googleapis.com/token');
  });

  it.each([
    ['without an endpoint', () => grantFile({}), /needs tokenEndpoint, or a preset: gmail, microsoft365/],
    ['without a refresh token', () => grantFile({ preset: 'gmail', refreshToken: '' }), /wrong in: refreshToken$/],
    ['that is no JSON', () => file('canary: {'), /is not JSON$/],
    ['that is not there', () => join(folder, 'none'), /cannot be read/],
  ])('%s is refused without a word of what is in it', (_what, path, words) => {
    const refused = () => readGrant(path(), undefined);
    expect(refused).toThrow(words);
    expect(refused).not.toThrow(/canary/);
  });

  it('keeps the refresh token that came back, for its owner alone, and everything else', () => {
    const path = grantFile({ preset: 'gmail' });
    keepRefreshToken(path, 'next');
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({
      clientId: 'c',
      clientSecret: 'canary',
      refreshToken: 'next',
      preset: 'gmail',
    });
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });
});

it('a file of a password may end its line', () => {
  expect(readPassword(file(' word \r\n'))).toBe(' word ');
});
