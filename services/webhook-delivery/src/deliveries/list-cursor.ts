import { refuse } from '@postroom/errors/refuse';
import { z } from 'zod';

/** The last delivery of a page. */
export interface ListPosition {
  createdAt: Date;
  id: string;
}

/** The last moment that a date can name. */
const LAST_MS = 8.64e15;
const written = z.tuple([z.int().min(0).max(LAST_MS), z.string(), z.string()]);

/** `of` names the list: a cursor is good for no other one. */
export function writeListCursor(of: string, { createdAt, id }: ListPosition): string {
  return Buffer.from(JSON.stringify([createdAt.getTime(), id, of])).toString('base64url');
}

export function readListCursor(of: string, cursor: string): ListPosition {
  try {
    const [createdAt, id, list] = written.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')));
    if (list === of) return { createdAt: new Date(createdAt), id };
  } catch {
    // It is refused below, as a cursor of another list is.
  }
  return refuse('cursor', 'is not a cursor of this list; begin without one');
}
