import { ApiError } from '@postroom/errors/api-error';
import { INBOX_FILTER_TYPES, type InboxFilterType } from '@postroom/mail-store/documents/view-filter';
import { normaliseDomain } from '@postroom/mail-store/filter-tree/value-field';
import { foldCase } from '@postroom/mail-store/fold';
import type { FilterValue } from './inbox-filter-store.ts';

const LONGEST_VALUE = 255;
/** One address and nothing beside it: no list, no group, no display name. */
const ADDRESS = /^[^\s@<>()[\]",;:\\\p{Cc}]+@[^\s@<>()[\]",;:\\\p{Cc}]+$/u;
const DOMAIN = /^[\p{L}\p{N}]([\p{L}\p{N}._-]*[\p{L}\p{N}])?$/u;

interface Reader {
  /** The value as it is kept and shown. */
  read: (value: string) => string;
  /** The value as it is compared, when that is not what is shown. */
  keyOf?: (value: string) => string;
  isGood: (value: string) => boolean;
  fault: string;
}

const readers: Record<InboxFilterType, Reader> = {
  sender: {
    read: (value) => value.trim().toLowerCase(),
    isGood: (value) => ADDRESS.test(value),
    fault: 'must be one email address',
  },
  domain: { read: normaliseDomain, isGood: (value) => DOMAIN.test(value), fault: 'must be a domain' },
  // Text that folds to nothing stands in every subject, and would hide the whole inbox.
  subject: {
    read: (value) => value,
    keyOf: foldCase,
    isGood: (value) => foldCase(value) !== '',
    fault: 'must hold some text',
  },
  label: { read: (value) => value, isGood: (value) => value !== '', fault: 'must be the id of a label' },
};

/** Type and value hold together or not at all. */
export function readFilterValue(type: string, value: string): FilterValue {
  if (!isFilterType(type)) return refuse('type', `must be one of ${INBOX_FILTER_TYPES.join(', ')}`);
  const reader = readers[type];
  const read = reader.read(value);
  const length = [...value].length;
  if (length < 1 || length > LONGEST_VALUE) refuse('value', `must be 1 to ${LONGEST_VALUE} characters`);
  if (!reader.isGood(read)) refuse('value', `${reader.fault} when type is ${type}`);
  return { type, value: read, valueKey: reader.keyOf?.(read) ?? read };
}

function isFilterType(type: string): type is InboxFilterType {
  return (INBOX_FILTER_TYPES as readonly string[]).includes(type);
}

function refuse(field: string, message: string): never {
  throw new ApiError('VALIDATION_FAILED', { details: { [field]: [message] } });
}
