import type { Deps, Rpcs } from './deps.ts';
import { recording } from './record-sent.ts';

const REASON = 'called back';

/** Calling replies back, which works until one is on its way. */
export function cancelingHandlers(deps: Deps) {
  const { sends, context, leaseMs } = deps;
  const { show } = recording(deps);
  return {
    async cancelReply({ draftId }, { workspaceId }) {
      const send = await sends.findByDraft(workspaceId, draftId);
      const over = { state: 'canceled', lastError: REASON, wire: null, kept: null } as const;
      // Should this process die before its draft says so, somebody shows it there once the lease is over.
      const nextAt = new Date(context.clock.now() + leaseMs);
      const canceled = send && (await sends.takeUp(workspaceId, send, ['scheduled'], { ...over, nextAt }));
      if (!canceled) return { isCanceled: send?.state === 'canceled' };
      await show(canceled, { status: 'canceled', sendAt: null, reason: REASON });
      await sends.advance(workspaceId, canceled, ['canceled'], { nextAt: null });
      return { isCanceled: true };
    },
  } satisfies Partial<Rpcs>;
}
