import { domainKey, isDomain } from '@postroom/contract/address';
import { FOLDER_TYPES, isOneOf, mustBeOneOf } from '@postroom/contract/lists';
import type { FieldFamily } from './field-family.ts';

interface ValueOptions {
  /** The value as it is stored. */
  normalise: (value: string) => string;
  faultIn: (value: string) => string | undefined;
}

/** A field that is one whole value, compared for equality. */
function valueField(name: 'senderDomain' | 'folderType', { normalise, faultIn }: ValueOptions): FieldFamily {
  return {
    faultIn,
    toQuery: ({ type, value }) => ({ [name]: type === 'equals' ? normalise(value) : { $ne: normalise(value) } }),
  };
}

export const senderDomainField = valueField('senderDomain', {
  normalise: domainKey,
  faultIn: (value) => (isDomain(domainKey(value)) ? undefined : 'must be a domain'),
});

export const folderField = valueField('folderType', {
  normalise: (value) => value,
  faultIn: (value) => (isOneOf(FOLDER_TYPES, value) ? undefined : mustBeOneOf(FOLDER_TYPES)),
});
