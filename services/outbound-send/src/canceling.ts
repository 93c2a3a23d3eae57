import type { SendDocument } from '@postroom/mail-store/documents/send';
import type { Deps, Rpcs } from './deps.ts';
import { recording } from './record-sent.ts';

const REASON = 'called back';
const MOST_LOOKS = 5;

/** Calling replies back, which works until one is on its way. */
export function cancelingHandlers(deps: Deps) {
  const { sends, context, leaseMs } = deps;
  const { show } = recording(deps);
  return {
    async cancelReply({ draftId }, { workspaceId }) {
      const over = { state: 'canceled', lastError: REASON, wire: null, kept: null } as const;
      // Should this process die before its draft says so, somebody shows it there once the lease is over.
      const nextAt = new Date(context.clock.now() + leaseMs);
      let send = await sends.findByDraft(workspaceId, draftId);
      let canceled: SendDocument | null = null;
      for (let look = 1; send?.state === 'scheduled' && look <= MOST_LOOKS; look++) {
        canceled = await sends.takeUp(workspaceId, send, ['scheduled'], { ...over, nextAt });
        if (canceled) break;
        // Somebody has taken it up meanwhile: perhaps only to find that there is no turn for it.
        send = await sends.findByDraft(workspaceId, draftId);
      }
      if (!canceled) return { isCanceled: send?.state === 'canceled' };
      await show(canceled, { status: 'canceled', sendAt: null, reason: REASON });
      await sends.advance(workspaceId, canceled, ['canceled'], { nextAt: null });
      return { isCanceled: true };
    },
  } satisfies Partial<Rpcs>;
}
