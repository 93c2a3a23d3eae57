import type { SendDocument } from '@postroom/mail-store/documents/send';
import type { ReplyStore } from './reply-store.ts';

/** The limit for a correspondent whose undeclared machine answers each answer. */
const MOST = 4;
const SPAN_MS = 60 * 60_000;

/** Whether one mailbox would answer one correspondent more often than that within an hour. */
export async function wouldReplyTooOften(
  send: SendDocument,
  replies: Pick<ReplyStore, 'countAround'>,
): Promise<boolean> {
  return (await replies.countAround(send.workspaceId, send, SPAN_MS, MOST)) >= MOST;
}
