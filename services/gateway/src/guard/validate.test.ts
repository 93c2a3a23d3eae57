import { expect, it } from '@jest/globals';
import { z } from 'zod';
import type { Exchange } from './exchange.ts';
import type { Route } from '../routes/table.ts';
import { validate } from './validate.ts';

const route = { call: () => Promise.resolve(), body: z.strictObject({ a: z.string() }) } as unknown as Route;
const exchangeWith = (body: unknown, params = {}) =>
  ({ endpoint: route, params, request: { url: '/' }, body }) as unknown as Exchange;

it.each(['constructor', '__proto__'])('400 VALIDATION_FAILED where a strict body has a %s', (name) => {
  const body: unknown = JSON.parse(`{"a":"x","${name}":{}}`);
  let refusal: unknown;
  try {
    validate(exchangeWith(body));
  } catch (error) {
    refusal = error;
  }
  expect(refusal).toMatchObject({ code: 'VALIDATION_FAILED' });
  expect(Object.entries((refusal as { details: object }).details)).toEqual([
    [name, ['is not a property of this request']],
  ]);
});
