import { createHmac, timingSafeEqual } from 'node:crypto';
import { refuse } from '@postroom/errors/refuse';

/** The end of a page. The next page begins right after it. */
export interface Position {
  /** The tier of a search; 0 when there is one order only. */
  tier: number;
  /** The last email shown, null at the start of a tier. */
  after: { date: Date; id: string } | null;
  /** For a listing of threads: the state of its earlier pages. */
  earlier?: EarlierPages;
}

export interface EarlierPages {
  /** Mail that came in after this time, in milliseconds, may have been missing from an earlier page. */
  lateAfter: number;
  /** Hashes of the threads that an earlier page shows because of such mail. */
  shown: readonly string[];
}

export interface Cursors {
  /** `query` is everything a page depends on but its size: a cursor is good for that query alone. */
  write(query: readonly unknown[], position: Position): string;
  read(query: readonly unknown[], cursor: string): Position;
}

const SEAL_BYTES = 16;
/** A cursor of threads names those that it must not show again. */
const LONGEST = 6_000;

type Payload = [tier: number, time?: number, id?: string, lateAfter?: number, shown?: string];

/** Cursors are sealed with a secret that all replicas share; nothing is kept between two pages. */
export function createCursors(secret: string): Cursors {
  const seal = (query: readonly unknown[], payload: Buffer): Buffer =>
    createHmac('sha256', secret)
      .update(JSON.stringify(query))
      .update('\0')
      .update(payload)
      .digest()
      .subarray(0, SEAL_BYTES);

  return {
    write: (query, { tier, after, earlier }) => {
      const more = earlier ? [earlier.lateAfter, earlier.shown.join(' ')] : [];
      const payload = Buffer.from(JSON.stringify(after ? [tier, after.date.getTime(), after.id, ...more] : [tier]));
      return Buffer.concat([seal(query, payload), payload]).toString('base64url');
    },
    read: (query, cursor) => {
      if (cursor.length > LONGEST || !/^[\w-]+$/.test(cursor)) refuseCursor();
      const bytes = Buffer.from(cursor, 'base64url');
      const payload = bytes.subarray(SEAL_BYTES);
      if (bytes.length <= SEAL_BYTES || bytes.toString('base64url') !== cursor) refuseCursor();
      if (!timingSafeEqual(seal(query, payload), bytes.subarray(0, SEAL_BYTES))) refuseCursor();
      const [tier, time, id, lateAfter, shown = ''] = JSON.parse(payload.toString()) as Payload;
      return {
        tier,
        after: time === undefined || id === undefined ? null : { date: new Date(time), id },
        ...(lateAfter !== undefined && { earlier: { lateAfter, shown: shown.split(' ') } }),
      };
    },
  };
}

function refuseCursor(): never {
  return refuse('cursor', 'is not a cursor of this query; begin again without one');
}
