import { refuse } from '@postroom/errors/refuse';
import { z } from 'zod';

/** The entry that a page ended with. New entries come before it, so that no page repeats or skips one. */
export interface AuditPosition {
  at: Date;
  id: string;
}

const written = z.tuple([z.number().int().min(0).max(8.64e15), z.string().max(100)]);

export function writeAuditCursor({ at, id }: AuditPosition): string {
  return Buffer.from(JSON.stringify([at.getTime(), id])).toString('base64url');
}

export function readAuditCursor(cursor: string): AuditPosition {
  try {
    const [at, id] = written.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')));
    return { at: new Date(at), id };
  } catch {
    return refuse('cursor', 'is not one of this list; leave it out to begin at the newest entry');
  }
}
