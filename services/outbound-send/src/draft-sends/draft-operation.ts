import type { SendDocument } from '@postroom/mail-store/documents/send';
import { SendDraftResponse } from '@postroom/proto/postroom/v1/outbound_send';
import type { Call } from '@postroom/rpc/call';
import { searchNow, underWay } from '../send-now/send-now.ts';
import type { DraftSendDeps } from './load-draft.ts';

/** The draft is the operation: whoever asks for it, and however often, it is sent once. */
export const operationOf = (draftId: string, { workspaceId }: Pick<Call, 'workspaceId'>) => ({
  workspaceId,
  operationId: `draft ${draftId}`,
});

/** A send in one of these states was not delivered, so that another call may begin anew. */
export const MAY_BEGIN_AGAIN = ['failed', 'canceled', 'awaiting_approval'] as const;
export const isOneAgain = ({ state }: SendDocument): boolean => (MAY_BEGIN_AGAIN as readonly string[]).includes(state);

export async function answerEarlier(
  known: SendDocument,
  draftId: string,
  deps: DraftSendDeps,
): Promise<SendDraftResponse> {
  if (known.state === 'recorded') return toMessageResult(known, draftId);
  await searchNow(known, deps);
  if (known.kind === 'approved' && known.state !== 'unknown') return toMessageResult(known, draftId);
  throw underWay();
}

const STATUSES: Partial<Record<SendDocument['state'], string>> = {
  recorded: 'sent',
  awaiting_approval: 'waiting_for_approval',
  unknown: 'not_known',
};

export function toMessageResult({ state, emailId, approval }: SendDocument, draftId: string): SendDraftResponse {
  const isWaiting = state === 'awaiting_approval';
  return SendDraftResponse.create({
    status: STATUSES[state] ?? 'sending',
    draftId,
    ...(emailId !== null && { emailId }),
    ...(approval && { approvalId: approval.id }),
    ...(approval && isWaiting && { expiresAt: approval.expiresAt.toISOString() }),
  });
}
