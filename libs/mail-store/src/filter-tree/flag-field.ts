import { mustBeEmpty, type FieldFamily } from './field-family.ts';
import type { EmailDocument } from '../documents/email.ts';

type Flag = {
  [Key in keyof EmailDocument]-?: EmailDocument[Key] extends boolean ? Key : never;
}[keyof EmailDocument];

export function flagField(flag: Flag): FieldFamily {
  return {
    faultIn: mustBeEmpty,
    toQuery: ({ type }) => ({ [flag]: type === 'is_true' }),
  };
}
