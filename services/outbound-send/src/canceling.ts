import { UpdateOutgoingRequest } from '@postroom/proto/postroom/v1/mailbox_write';
import type { Deps, Rpcs } from './deps.ts';

/** Calling replies back, which works until one is on its way. */
export function cancelingHandlers({ sends, mailboxWrite }: Deps) {
  return {
    async cancelReply({ draftId }, call) {
      const send = await sends.findByDraft(call.workspaceId, draftId);
      const over = { state: 'canceled', lastError: 'called back', wire: null, kept: null, nextAt: null } as const;
      const canceled = send && (await sends.takeUp(call.workspaceId, send, ['scheduled'], over));
      if (!canceled) return { isCanceled: send?.state === 'canceled' };
      await mailboxWrite.updateOutgoing(
        UpdateOutgoingRequest.create({ emailId: draftId, scheduledStatus: 'canceled' }),
        call,
      );
      return { isCanceled: true };
    },
  } satisfies Partial<Rpcs>;
}
