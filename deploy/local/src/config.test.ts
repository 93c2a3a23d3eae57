import { describe, expect, it } from '@jest/globals';
import { readLocalConfig } from './config.ts';

describe('npm start --open', () => {
  it.each([
    [[], []],
    [['--open', 'changes'], ['changes']],
    [
      ['--open', 'threads, changes,threads'],
      ['threads', 'changes'],
    ],
  ])('%j opens %j', (args, features) => expect(readLocalConfig(args, {}).features).toEqual(features));

  it.each(['chnages', 'changes;threads', 'changes,'])('refuses "%s", and says which names there are', (names) => {
    expect(() => readLocalConfig(['--open', names], {})).toThrow(
      `--open: expected names out of changes, webhooks, threads, with commas between, not "${names}"`,
    );
  });
});
