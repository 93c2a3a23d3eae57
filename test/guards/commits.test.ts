import { spawnSync } from 'node:child_process';
import { expect, it } from '@jest/globals';
import { ROOT } from './sources.ts';

/** The last commit from before this rule. */
const LAST_FREE = 'bb144fda91742a1f9421be7da03aad9171bb020c';
const SUBJECT = /^[a-z][a-z0-9, /-]*: [a-z].*[^.]$/;
const MOST_CHARACTERS = 72;

const git = (...args: string[]) => spawnSync('git', args, { cwd: ROOT, encoding: 'utf8' });
/** A copy without history, or with a part of it, has nothing to check. */
const hasHistory = git('cat-file', '-e', `${LAST_FREE}^{commit}`).status === 0;

(hasHistory ? it : it.skip)('commit subjects have 72 characters at most and the form "area: change"', () => {
  const { stdout } = git('log', '--no-merges', '--format=%s', `${LAST_FREE}..HEAD`);
  const faults = stdout
    .split('\n')
    .filter((subject) => subject !== '' && (subject.length > MOST_CHARACTERS || !SUBJECT.test(subject)));
  expect(faults).toEqual([]);
});
