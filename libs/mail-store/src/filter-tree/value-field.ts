import { FOLDER_TYPES } from '../documents/mailbox.ts';
import type { FieldFamily } from './field-family.ts';
import type { FilterableEmail } from './tree.ts';

interface ValueOptions {
  /** The value as it is stored. */
  normalise: (value: string) => string;
  faultIn: (value: string) => string | undefined;
}

/** A field that is one whole value, compared for equality. */
function valueField(name: 'senderDomain' | 'folderType', { normalise, faultIn }: ValueOptions): FieldFamily {
  const holds = (email: FilterableEmail, value: string) => email[name] === normalise(value);
  return {
    operators: ['equals', 'not_equals'],
    faultIn,
    toQuery: ({ type, value }) => ({ [name]: type === 'equals' ? normalise(value) : { $ne: normalise(value) } }),
    matches: ({ type, value }, email) => holds(email, value) === (type === 'equals'),
  };
}

export function normaliseDomain(value: string): string {
  return value.trim().replace(/^@/, '').toLowerCase();
}

export const senderDomainField = valueField('senderDomain', {
  normalise: normaliseDomain,
  faultIn: (value) => (/^[^\s@]+$/.test(normaliseDomain(value)) ? undefined : 'must be a domain'),
});

export const folderField = valueField('folderType', {
  normalise: (value) => value,
  faultIn: (value) =>
    (FOLDER_TYPES as readonly string[]).includes(value) ? undefined : `must be one of ${FOLDER_TYPES.join(', ')}`,
});
