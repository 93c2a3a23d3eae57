import { expect, it } from '@jest/globals';
import { ConfigError, readConfig } from '@postroom/runtime/config';
import { config } from './config.ts';

const ADDRESSES = {
  MONGODB_URI: 'mongodb://127.0.0.1/postroom',
  MAILBOX_WRITE_ADDR: '127.0.0.1:1',
  LABEL_RULE_ADDR: '127.0.0.1:2',
  OUTBOUND_SEND_ADDR: '127.0.0.1:3',
};

it('names LLM_BASE_URL when no model is set', () => {
  expect(() => readConfig(config, ADDRESSES)).toThrow(new ConfigError(['LLM_BASE_URL is missing']));
});

it.each([
  ['https://models.example:99999/v1', 'expected an http or https address'],
  ['https://', 'expected an http or https address'],
  ['https://user:secret@models.example/v1', 'expected an address without a user and a password'],
])('refuses the address %s', (LLM_BASE_URL, fault) => {
  const faults = [`LLM_BASE_URL is wrong: ${fault}`];
  expect(() => readConfig(config, { ...ADDRESSES, LLM_BASE_URL })).toThrow(new ConfigError(faults));
});
