import { expect, it } from '@jest/globals';
import { z } from 'zod';
import { faultsOf } from './faults.ts';

const faultsIn = (schema: z.ZodType, value: unknown) => faultsOf(schema.safeParse(value).error as z.core.$ZodError);

it('names a property that is not taken, whatever the language keeps under its name', () => {
  const names = ['constructor', '__proto__', 'toString', 'hasOwnProperty', 'plain'];
  const body: unknown = JSON.parse(`{${names.map((name) => `"${name}":1`).join()}}`);
  const faults = faultsIn(z.strictObject({}), body);
  expect(Object.keys(faults)).toEqual(names);
  for (const messages of Object.values(faults)) expect(messages).toEqual(['is not a property of this request']);
});

it('names fields inside of fields, and gathers what is wrong with one', () => {
  const schema = z.object({ to: z.array(z.object({ email: z.string().min(3).startsWith('a') })) });
  const faults = faultsIn(schema, { to: [{ email: 'abc' }, { email: 'x' }] });
  expect(Object.keys(faults)).toEqual(['to[1].email']);
  expect(faults['to[1].email']).toHaveLength(2);
});

it('shows a caller many faults, and not all of thousands', () => {
  const faults = faultsIn(
    z.array(z.string()),
    Array.from({ length: 1_000 }, () => 1),
  );
  expect(Object.keys(faults)).toHaveLength(50);
});
