import { ApiError } from '@postroom/errors/api-error';
import type { SendDocument } from '@postroom/mail-store/documents/send';
import { whyForwardStays } from '@postroom/mail-store/effect-state';
import type { OutboundSendServiceDefinition } from '@postroom/proto/postroom/v1/outbound_send';
import type { Handlers } from '@postroom/rpc/definition';
import type { ServiceContext } from '@postroom/runtime/service';
import type { SendStore } from '../stored-sends/send-store.ts';

interface UndoForwardDeps {
  context: Pick<ServiceContext, 'clock'>;
  sends: Pick<SendStore, 'find' | 'advance' | 'waitingForwards'>;
  sender: { wake(): void };
}

const STOPPED = 'a person stopped it';

/** One write stops a forward, while it waits. The worker then says so in the log of its rule. */
export function undoForwardHandlers({ sends, sender, context: { clock } }: UndoForwardDeps) {
  return {
    async listWaitingForwards({ ruleId, since, until, limit }, call) {
      const period = { ruleId, since: new Date(since), until: new Date(until) };
      const found = await sends.waitingForwards(call.workspaceId, period, limit, call);
      const items = found.map(({ _id: effectId, sourceEmailId, createdAt }) => {
        return { effectId, emailId: sourceEmailId ?? '', createdAt: createdAt.toISOString() };
      });
      return { items };
    },

    async undoForward({ actorId, emailId, effectId }, call) {
      const { workspaceId } = call;
      for (;;) {
        const send = await sends.find(workspaceId, effectId);
        if (!send || !isForwardOf(send, emailId))
          throw new ApiError('NOT_FOUND', { message: 'This email has no such effect of a rule.' });
        if (send.undone) return {};
        const refusal = whyForwardStays(send.state);
        if (refusal !== null) throw new ApiError('CONFLICT', { message: refusal });
        const now = clock.date();
        const undone = { effectId, by: actorId, at: now };
        // A slot without a forward must not be counted, nor read by those who look for one.
        const over = { scheduledSendAt: null, wire: null, kept: null, nextAt: now, updatedAt: now };
        const stopped = { state: 'canceled', lastError: STOPPED, undone, ...over } as const;
        if (await sends.advance(workspaceId, send, ['scheduled'], stopped)) {
          sender.wake();
          return {};
        }
        // A worker has taken it up. The deadline of the call ends this loop.
        call.signal.throwIfAborted();
      }
    },
  } satisfies Partial<Handlers<OutboundSendServiceDefinition>>;
}

const isForwardOf = ({ kind, sourceEmailId }: SendDocument, emailId: string): boolean =>
  kind === 'forward' && sourceEmailId === emailId;
