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

describe('npm start --webhook-…', () => {
  const webhooks = (...args: string[]) => readLocalConfig(args, {}).webhooks;

  it('hands its options on as variables of webhook-delivery', () => {
    const routes = ['--webhook-route', 'a.test=127.0.0.1:1', '--webhook-route', 'b.test=[::1]:2'];
    expect(webhooks(...routes, '--webhook-delays', '1,2,3,4', '--webhook-disable-after', '60')).toEqual({
      POSTROOM_DEVELOPMENT: 'true',
      WEBHOOK_ROUTES: 'a.test=127.0.0.1:1,b.test=[::1]:2',
      WEBHOOK_DELAYS: '1,2,3,4',
      WEBHOOK_DISABLE_AFTER: '60',
    });
  });

  it.each([
    ['--webhook-route', 'a.test', 'takes HOST=IP:PORT'],
    ['--webhook-delays', '1,2', 'takes four delays'],
    ['--webhook-disable-after', '3d', 'takes a whole number of seconds'],
    ['--webhook-ca', '/nowhere', 'cannot be read (ENOENT)'],
  ])('refuses %s %s', (option, value, message) => expect(() => webhooks(option, value)).toThrow(message));
});

it.each(['https://models.example:99999/v1', 'https://user:secret@models.example/v1'])(
  'npm start names LLM_BASE_URL when it is %s',
  (LLM_BASE_URL) => {
    expect(() => readLocalConfig([], { LLM_BASE_URL })).toThrow('LLM_BASE_URL is wrong: expected an');
  },
);
