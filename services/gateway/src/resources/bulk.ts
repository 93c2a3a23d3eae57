import { z } from 'zod';
import { replySchema, requestSchema } from './schema-names.ts';
import { opaqueId } from './text.ts';

const MOST_EMAILS = 500;
const ids = z.array(z.string());
const emailIds = z
  .array(z.string())
  .min(1, 'must name at least one email')
  .max(MOST_EMAILS, `must name at most ${MOST_EMAILS} emails`);

export const bulkRequest = requestSchema(
  'BulkRequest',
  z.discriminatedUnion('action', [
    z.object({ action: z.literal('markRead'), emailIds, isRead: z.boolean() }),
    z.object({ action: z.literal('delete'), emailIds }),
    z.object({ action: z.literal('applyLabel'), emailIds, labelId: opaqueId }),
    z.object({ action: z.literal('removeLabel'), emailIds, labelId: opaqueId }),
  ]),
);
export type BulkRequest = z.output<typeof bulkRequest>;

const markReadReply = replySchema(
  'BulkMarkReadResult',
  z.object({ updatedIds: ids, unchangedIds: ids, skippedIds: ids, isRead: z.boolean() }),
);
const deleteReply = replySchema('BulkDeleteResult', z.object({ deletedIds: ids, skippedIds: ids, noTrashIds: ids }));
const labelReply = replySchema(
  'BulkLabelResult',
  z.object({ labelId: z.string(), emailIds: ids, skippedIds: ids, updatedCount: z.int() }),
);
export const bulkReply = replySchema('BulkReply', z.union([markReadReply, deleteReply, labelReply]));
export type BulkReply = z.input<typeof bulkReply>;

export function distinctEmails({ emailIds }: BulkRequest): string[] {
  return [...new Set(emailIds)];
}

/** The emails a bulk call has worked on; the skipped ones cost nothing. */
export function processedEmails(reply: BulkReply): number {
  if ('updatedIds' in reply) return reply.updatedIds.length + reply.unchangedIds.length;
  if ('deletedIds' in reply) return reply.deletedIds.length + reply.noTrashIds.length;
  return reply.emailIds.length;
}
