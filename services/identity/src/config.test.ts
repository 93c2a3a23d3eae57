import { expect, it } from '@jest/globals';
import { config } from './config.ts';

const settings = { MONGODB_URI: 'mongodb://127.0.0.1/postroom', OPERATOR_TOKEN: 'operators' };

it.each(['8192', '65537', '2097152', 'much'])('refuses %s as the work of a password hash', (cost) => {
  expect(config.safeParse({ ...settings, PASSWORD_COST: cost }).success).toBe(false);
});

it('hashes passwords with 64 MiB where nothing else is given', () => {
  expect(config.parse(settings).PASSWORD_COST).toBe(65_536);
  expect(config.parse({ ...settings, PASSWORD_COST: '131072' }).PASSWORD_COST).toBe(131_072);
});
