import { ApiError } from '@postroom/errors/api-error';
import { parseFilters } from '@postroom/mail-store/filter-tree/parse';

const LONGEST_NAME = 100;
const LONGEST_ICON = 32;
const CONTROL = /\p{Cc}/u;
const MARKUP = /[<>&\p{Cc}]/u;

export function checkedName(name: string): string {
  const trimmed = name.trim();
  const length = [...trimmed].length;
  if (length < 1 || length > LONGEST_NAME) refuse('name', `must be 1 to ${LONGEST_NAME} characters`);
  if (CONTROL.test(trimmed)) refuse('name', 'must be one line of text');
  return trimmed;
}

/** An icon is an emoji: an empty one is none, and markup is never let in, since apps show it. */
export function checkedIcon(icon: string | undefined): string | null {
  if (icon === undefined || icon === '') return null;
  if ([...icon].length > LONGEST_ICON) refuse('icon', `must be at most ${LONGEST_ICON} characters`);
  if (MARKUP.test(icon)) refuse('icon', 'must be an emoji, without markup');
  return icon;
}

/** The tree as it is kept: read, found good and written anew. */
export function checkedFilters(filtersJson: string): string {
  return JSON.stringify(filtersJson === '' ? {} : parseFilters(filtersJson));
}

function refuse(field: string, message: string): never {
  throw new ApiError('VALIDATION_FAILED', { details: { [field]: [message] } });
}
