import { useState } from 'react';
import type { DraftRowAnswer } from '@postroom/app/answers';
import { useLocation } from 'wouter';
import { call } from '../api/call.ts';
import { useWorkspacePath } from '../api/session.ts';
import { invalidate, queryClient } from '../api/use-answer.ts';
import { defer } from '../parts/deferred.ts';
import { say } from '../parts/toasts.tsx';

export interface DraftActs {
  /** The draft whose change is being made. */
  busyId: string | null;
  /** The last refusal. Its draft may have left the list. */
  fault: unknown;
  send(draft: DraftRowAnswer): void;
  cancel(draft: DraftRowAnswer): void;
  edit(draft: DraftRowAnswer): void;
  discard(draft: DraftRowAnswer): void;
}

const editPathOf = ({ id }: Pick<DraftRowAnswer, 'id'>): string => `/drafts/edit/${encodeURIComponent(id)}`;

/** Sends a draft as it was shown: the server refuses it where it has another date by now. */
export async function sendAsShown(
  drafts: string,
  { id, date: seenDate }: Pick<DraftRowAnswer, 'id' | 'date'>,
): Promise<void> {
  const path = `${drafts}/${encodeURIComponent(id)}/send`;
  const { isSent } = await call<{ isSent: boolean }>('POST', path, { body: { seenDate } });
  say(isSent ? 'Sent' : 'The message leaves now');
}

/** A reply that waits is stopped before it is edited or thrown away, because its time goes on. */
export function useDraftActs(): DraftActs {
  const inWorkspace = useWorkspacePath();
  const drafts = inWorkspace('/drafts');
  const [, go] = useLocation();
  const [busyId, setBusyId] = useState<string | null>(null);
  const [fault, setFault] = useState<unknown>(null);
  const read = () => invalidate(queryClient, [drafts, inWorkspace('/home')]);
  const make = async ({ id }: DraftRowAnswer, change: () => Promise<void>) => {
    setBusyId(id);
    setFault(null);
    await change().catch(setFault);
    setBusyId(null);
    void read();
  };
  const stop = async ({ id, sendAt }: DraftRowAnswer) => {
    if (sendAt !== null) await call('POST', `${drafts}/${encodeURIComponent(id)}/cancel`);
  };
  return {
    busyId,
    fault,
    send: (draft) => void make(draft, () => sendAsShown(drafts, draft)),
    cancel: (draft) =>
      void make(draft, async () => {
        await stop(draft);
        say('Canceled: it stays a draft');
      }),
    edit: (draft) =>
      void make(draft, async () => {
        await stop(draft);
        go(editPathOf(draft));
      }),
    discard: (draft) =>
      void make(draft, async () => {
        await stop(draft);
        const body = { seenDate: draft.date };
        defer(draft.id, {
          message: 'Draft discarded',
          run: async (isLast) => {
            await call('POST', `${drafts}/${encodeURIComponent(draft.id)}/discard`, { body, keepalive: isLast });
            await read();
          },
        });
      }),
  };
}
