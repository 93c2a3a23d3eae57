import { refuse } from '@postroom/errors/refuse';
import { safeLines } from '../mail/mail-text.ts';
import { fittingItems } from './size.ts';
import type { Arguments } from './rest-call.ts';

interface Listed {
  id: string;
}

/** A list of the API, as it came, with every text as a safe line. */
export function pageOf<T>(body: { items: T[]; nextCursor?: string | null; hasMore?: boolean }) {
  const { items, nextCursor = null, hasMore = false } = safeLines(body) as typeof body;
  return { items, nextCursor, hasMore };
}

/** A page of a list that the API gives whole. Its cursor names the last item that was shown. */
export function partOf<T extends Listed>(body: { items: T[] }, { cursor }: Arguments) {
  const { items } = pageOf(body);
  const after = typeof cursor === 'string' ? Buffer.from(cursor, 'base64url').toString() : undefined;
  const at = after === undefined ? 0 : items.findIndex(({ id }) => id === after) + 1;
  if (after !== undefined && at === 0) refuse('cursor', 'is of an item that is gone; begin again without a cursor');
  const rest = items.slice(at);
  const shown = fittingItems(rest);
  const hasMore = shown.length < rest.length;
  const last = shown.at(-1);
  return { items: shown, hasMore, nextCursor: hasMore && last ? Buffer.from(last.id).toString('base64url') : null };
}
