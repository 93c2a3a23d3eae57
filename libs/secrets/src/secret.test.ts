import { inspect } from 'node:util';
import { expect, it } from '@jest/globals';
import { secretOf } from './secret.ts';

it('a secret shows itself to nobody who does not ask for it', () => {
  const secret = secretOf('canary');
  const shown = [JSON.stringify({ secret }), inspect({ secret }, { depth: 9, showHidden: true }), secret.toString()];
  expect(shown.filter((text) => text.includes('canary'))).toEqual([]);
  expect(shown.filter((text) => !text.includes('[secret]'))).toEqual([]);
  expect(secret.reveal()).toBe('canary');
});
