import { addressKey, domainKey, isAddress, isDomain } from '@postroom/contract/address';
import { INBOX_FILTER_TYPES, isOneOf, mustBeOneOf, type InboxFilterType } from '@postroom/contract/lists';
import { refuse } from '@postroom/errors/refuse';
import { foldCase } from '@postroom/mail-store/fold';
import type { FilterValue } from './inbox-filter-store.ts';

interface Reader {
  /** The value as it is kept and shown. */
  read: (value: string) => string;
  /** The value as it is compared, when that is not what is shown. */
  keyOf?: (value: string) => string;
  isGood: (value: string) => boolean;
  fault: string;
}

const readers: Record<InboxFilterType, Reader> = {
  sender: { read: addressKey, isGood: isAddress, fault: 'must be one email address' },
  domain: { read: domainKey, isGood: isDomain, fault: 'must be a domain' },
  // Text that folds to nothing is part of every subject, and would hide the whole inbox.
  subject: {
    read: (value) => value,
    keyOf: foldCase,
    isGood: (value) => foldCase(value) !== '',
    fault: 'must hold some text',
  },
  label: { read: (value) => value, isGood: (value) => value !== '', fault: 'must be the id of a label' },
};

/** Type and value are valid only together. */
export function readFilterValue(type: string, value: string): FilterValue {
  if (!isOneOf(INBOX_FILTER_TYPES, type)) return refuse('type', mustBeOneOf(INBOX_FILTER_TYPES));
  const reader = readers[type];
  const read = reader.read(value);
  if (!reader.isGood(read)) refuse('value', `${reader.fault} when type is ${type}`);
  return { type, value: read, valueKey: reader.keyOf?.(read) ?? read };
}
