import { bounds } from '@postroom/contract/bounds';
import { CHANGE_EVENTS } from '@postroom/contract/lists';
import type * as proto from '@postroom/proto/postroom/v1/changes';
import { z } from 'zod';
import { dateTime } from './date-time.ts';
import { limitOf } from './paging.ts';
import { replySchema } from './schema-names.ts';

const { page, waitSeconds } = bounds.changes;
/** The bytes of a change beside its data. */
const FRAME_BYTES = 200;

const change = replySchema(
  'Change',
  z.object({
    seq: z.int().meta({ minimum: 1, description: 'The number of the change, from 1, without a gap.' }),
    id: z.string().meta({ description: 'The same in the feed, in streams and in webhooks.' }),
    event: z.enum(CHANGE_EVENTS),
    createdAt: dateTime,
    data: z.record(z.string(), z.unknown()).meta({ description: 'What changed, by event.' }),
  }),
);
export const changePage = replySchema(
  'ChangePage',
  z.object({
    items: z.array(change),
    nextCursor: z.string().meta({ description: 'The position behind these changes, also where there are none.' }),
    hasMore: z.boolean(),
  }),
);

export const since = z.string().optional().meta({
  minLength: 1,
  pattern: '^[A-Za-z0-9_-]+$',
  description: 'A cursor of this feed, or `now` for its present end.',
});

/** Seconds. */
const wait = z
  .string()
  .optional()
  .refine(isWait, `must be a whole number from ${waitSeconds.min} to ${waitSeconds.max}`)
  .transform((text) => Number(text ?? '0'))
  .meta({
    type: 'integer',
    minimum: waitSeconds.min,
    maximum: waitSeconds.max,
    description: 'The answer waits so many seconds for a change where there is none yet.',
  });

export const changesQuery = z.object({ since, limit: limitOf(page), wait });

function isWait(text: string | undefined): boolean {
  return text === undefined || (/^\d{1,3}$/.test(text) && Number(text) <= waitSeconds.max);
}

/** The page ends before it exceeds the bytes, and has one change at least. */
export function toJsonChangePage(
  { changes, nextCursor, hasMore }: proto.ListChangesResponse,
  mostBytes: number = bounds.pageBytes,
): z.input<typeof changePage> {
  let bytes = 0;
  const tooMany = changes.findIndex(
    ({ data }, n) => (bytes += Buffer.byteLength(data) + FRAME_BYTES) > mostBytes && n > 0,
  );
  const last = changes[tooMany - 1];
  if (!last) return { items: changes.map(toJsonChange), nextCursor, hasMore };
  return { items: changes.slice(0, tooMany).map(toJsonChange), nextCursor: last.cursor, hasMore: true };
}

function toJsonChange({ seq, id, event, createdAt, data }: proto.Change): z.input<typeof change> {
  return {
    seq,
    id,
    event: event as z.input<typeof change>['event'],
    createdAt,
    data: JSON.parse(data) as Record<string, unknown>,
  };
}
