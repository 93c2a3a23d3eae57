import { mustBeEmpty, type FieldFamily } from './field-family.ts';
import type { FilterableEmail } from './tree.ts';

type Flag = {
  [Key in keyof FilterableEmail]: FilterableEmail[Key] extends boolean ? Key : never;
}[keyof FilterableEmail];

export function flagField(flag: Flag): FieldFamily {
  return {
    faultIn: mustBeEmpty,
    toQuery: ({ type }) => ({ [flag]: type === 'is_true' }),
    matches: ({ type }, email) => email[flag] === (type === 'is_true'),
  };
}
