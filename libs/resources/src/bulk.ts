import { bounds } from '@postroom/contract/bounds';
import type * as proto from '@postroom/proto/postroom/v1/mailbox_write';
import { z } from 'zod';
import { replySchema, requestSchema } from './schema-names.ts';
import { opaqueId, boundedText } from './text.ts';

const { min, max } = bounds.bulkEmails;
const ids = z.array(z.string());
const emailIds = z
  .array(boundedText({ ...bounds.id, min: 0 }))
  .min(min, 'must name at least one email')
  .max(max, `must name at most ${max} emails`);

export const bulkRequest = requestSchema(
  'BulkRequest',
  z.discriminatedUnion('action', [
    z.object({ action: z.literal('markRead'), emailIds, isRead: z.boolean() }),
    z.object({ action: z.literal('delete'), emailIds }),
    z.object({ action: z.literal('applyLabel'), emailIds, labelId: opaqueId }),
    z.object({ action: z.literal('removeLabel'), emailIds, labelId: opaqueId }),
  ]),
);
type BulkRequest = z.output<typeof bulkRequest>;

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
type BulkReply = z.input<typeof bulkReply>;

export function distinctEmails({ emailIds }: BulkRequest): string[] {
  return [...new Set(emailIds)];
}

/** The emails a bulk call has worked on; the skipped ones cost nothing. */
export function processedEmails(reply: BulkReply): number {
  if ('updatedIds' in reply) return reply.updatedIds.length + reply.unchangedIds.length;
  if ('deletedIds' in reply) return reply.deletedIds.length + reply.noTrashIds.length;
  return reply.emailIds.length;
}

/** The calls that a bulk request stands for. */
interface BulkWriter<Context> {
  bulkMarkRead(request: proto.BulkMarkReadRequest, context: Context): Promise<proto.BulkMarkReadResponse>;
  bulkDelete(request: proto.BulkDeleteRequest, context: Context): Promise<proto.BulkDeleteResponse>;
  bulkApplyLabel(request: proto.BulkLabelRequest, context: Context): Promise<proto.BulkLabelResponse>;
  bulkRemoveLabel(request: proto.BulkLabelRequest, context: Context): Promise<proto.BulkLabelResponse>;
}

/** Makes the one change that the request names, to each of its emails once. */
export async function runBulk<Context>(
  body: BulkRequest,
  writer: BulkWriter<Context>,
  context: Context,
): Promise<BulkReply> {
  const emailIds = distinctEmails(body);
  switch (body.action) {
    case 'markRead':
      return toJsonBulkMarkRead(await writer.bulkMarkRead({ emailIds, isRead: body.isRead }, context), body.isRead);
    case 'delete':
      return toJsonBulkDelete(await writer.bulkDelete({ emailIds }, context));
    case 'applyLabel':
      return toJsonBulkLabel(await writer.bulkApplyLabel({ emailIds, labelId: body.labelId }, context));
    case 'removeLabel':
      return toJsonBulkLabel(await writer.bulkRemoveLabel({ emailIds, labelId: body.labelId }, context));
  }
}

function toJsonBulkMarkRead(message: proto.BulkMarkReadResponse, isRead: boolean): z.input<typeof markReadReply> {
  const { updatedIds, unchangedIds, skippedIds } = message;
  return { updatedIds, unchangedIds, skippedIds, isRead };
}

function toJsonBulkDelete(message: proto.BulkDeleteResponse): z.input<typeof deleteReply> {
  const { deletedIds, skippedIds, noTrashIds } = message;
  return { deletedIds, skippedIds, noTrashIds };
}

function toJsonBulkLabel(message: proto.BulkLabelResponse): z.input<typeof labelReply> {
  const { labelId, emailIds, skippedIds, updatedCount } = message;
  return { labelId, emailIds, skippedIds, updatedCount };
}
