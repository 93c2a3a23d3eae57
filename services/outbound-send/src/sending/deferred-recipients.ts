import { deterministicIdOf } from '@postroom/mail-store/create-once';
import type { RefusedPart, SendDocument } from '@postroom/mail-store/documents/send';
import { change, FINAL, later, type SendDeps } from './send-deps.ts';
import { retryDelay } from './delays.ts';

/**
 * A send for the recipients that the server deferred while it accepted the message for the others. It has the same bytes,
 * and the others never get the message again.
 */
export function sendToDeferred(send: SendDocument, now: number): SendDocument | null {
  const deferred = send.refused.filter(({ isFinal }) => !isFinal);
  if (deferred.length === 0 || send.wire === null) return null;
  const { workspaceId, _id } = send;
  return {
    ...send,
    _id: deterministicIdOf('snd', { workspaceId, operationId: `remainder of ${_id}` }),
    kind: 'remainder',
    remainderOf: _id,
    state: 'scheduled',
    to: deferred.map(({ address }) => address),
    kept: null,
    draftId: null,
    scheduledSendAt: null,
    correspondent: null,
    approval: null,
    refused: [],
    lastError: deferred[0]?.reason ?? null,
    epoch: 0,
    attempts: 1,
    nextAt: new Date(now + (retryDelay(1) ?? 0)),
  };
}

/** Some or all of them have it now; who was deferred once more waits on, while there is hope. */
export async function finishDeferred(send: SendDocument, deps: SendDeps): Promise<SendDocument> {
  const deferred = send.refused.filter(({ isFinal }) => !isFinal);
  const delay = deferred.length > 0 ? retryDelay(send.attempts) : undefined;
  await noteUndelivered(send, delay === undefined ? asFinal(send.refused) : send.refused, deps);
  if (delay === undefined) return change(send, { state: 'recorded', ...FINAL }, deps);
  const to = deferred.map(({ address }) => address);
  return change(send, { state: 'scheduled', to, refused: [], nextAt: later(delay, deps) }, deps);
}

export function asFinal(refused: readonly RefusedPart[]): RefusedPart[] {
  return refused.map((one) => ({ ...one, isFinal: true }));
}

/**
 * Of the recipients that this send is about, these have not got the message: those who never will are reported to the
 * sender, each in a report of its own, since what happens to the others may differ when a crash has it happen again.
 */
export async function noteUndelivered(
  send: SendDocument,
  left: readonly RefusedPart[],
  deps: Pick<SendDeps, 'sends' | 'reportUndelivered'>,
): Promise<void> {
  for (const one of left) if (one.isFinal) await deps.reportUndelivered(send, [one], 'refused');
  await tellParent(send, left, deps);
}

/** Stores in the original send which of these recipients still lack the message. */
export async function tellParent(
  { workspaceId, remainderOf: parentId, to }: SendDocument,
  left: readonly RefusedPart[],
  { sends }: Pick<SendDeps, 'sends'>,
): Promise<void> {
  const parent = parentId === null ? null : await sends.find(workspaceId, parentId);
  if (!parent) return;
  const others = parent.refused.filter(({ address }) => !to.includes(address));
  await sends.noteRefused(workspaceId, parent._id, [...others, ...left]);
}
