import { idOfOperation } from '@postroom/mail-store/create-once';
import type { RefusedPart, SendDocument } from '@postroom/mail-store/documents/send';
import { change, FINAL, later, type SendDeps } from './send-deps.ts';
import { retryDelay } from './states.ts';

/**
 * The recipients whom the server put off while it took the message for the others: a send of their own, with the same
 * bytes, so that whoever has the message is never sent it again.
 */
export function remainderOf(send: SendDocument, now: number): SendDocument | null {
  const putOff = send.refused.filter(({ isFinal }) => !isFinal);
  if (putOff.length === 0 || send.wire === null) return null;
  const { workspaceId, _id } = send;
  return {
    ...send,
    _id: idOfOperation('snd', { workspaceId, operationId: `remainder of ${_id}` }),
    kind: 'remainder',
    remainderOf: _id,
    state: 'scheduled',
    to: putOff.map(({ address }) => address),
    kept: null,
    draftId: null,
    scheduledSendAt: null,
    correspondent: null,
    refused: [],
    lastError: putOff[0]?.reason ?? null,
    epoch: 0,
    attempts: 1,
    nextAt: new Date(now + (retryDelay(1) ?? 0)),
  };
}

/** Some or all of them have it now; who was put off once more waits on, while there is hope. */
export async function endRemainder(send: SendDocument, deps: SendDeps): Promise<SendDocument> {
  const putOff = send.refused.filter(({ isFinal }) => !isFinal);
  await tellParent(send, send.refused, deps);
  const delay = putOff.length > 0 ? retryDelay(send.attempts) : undefined;
  if (delay === undefined) return change(send, { state: 'recorded', ...FINAL }, deps);
  const to = putOff.map(({ address }) => address);
  return change(send, { state: 'scheduled', to, refused: [], nextAt: later(delay, deps) }, deps);
}

/** The send that was asked for says who has not got it: of those that this remainder is about, these are left. */
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
