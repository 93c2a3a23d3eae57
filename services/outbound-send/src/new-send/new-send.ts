import { createHash } from 'node:crypto';
import { deterministicIdOf } from '@postroom/mail-store/create-once';
import type { SendDocument } from '@postroom/mail-store/documents/send';
import { currentTraceparent } from '@postroom/runtime/tracing';
import type { Call } from '@postroom/rpc/call';
import { compose } from '../compose/compose.ts';
import { inFairOrder } from '../compose/fair-order.ts';
import type { Composition } from '../compose/composition.ts';
import { KEPT_MS } from '../stored-sends/send-states.ts';

export type Said = Pick<SendDocument, 'kind' | 'mailboxId' | 'fingerprint' | 'nextAt'> &
  Partial<
    Pick<
      SendDocument,
      | 'state'
      | 'scheduledSendAt'
      | 'draftId'
      | 'sourceEmailId'
      | 'ruleId'
      | 'ruleUpdatedAt'
      | 'reason'
      | 'mode'
      | 'attaches'
      | 'correspondent'
      | 'agent'
      | 'approval'
    >
  >;

/** The one send of an operation, before anything was tried. */
export async function newSend(
  call: Pick<Call, 'workspaceId' | 'operationId'>,
  composition: Composition,
  said: Said,
): Promise<SendDocument> {
  const _id = sendIdOf(call);
  const { wire, kept } = await inFairOrder(call.workspaceId, () => compose({ ...composition, operation: _id }));
  const traceparent = currentTraceparent();
  const { messageId, from, to, cc, bcc, date } = composition;
  return {
    _id,
    workspaceId: call.workspaceId,
    state: 'scheduled',
    messageId,
    from: from.email,
    to: [...to, ...cc, ...bcc].map(({ email }) => email),
    wire,
    kept: bcc.length > 0 ? kept : null,
    scheduledSendAt: null,
    draftId: null,
    // A send that begins anew ends the claim of an edit.
    replacement: null,
    sourceEmailId: null,
    ruleId: null,
    correspondent: null,
    agent: null,
    approval: null,
    remainderOf: null,
    emailId: null,
    attempts: 0,
    lastError: null,
    refused: [],
    epoch: 0,
    createdAt: date,
    updatedAt: date,
    expiresAt: new Date(date.getTime() + KEPT_MS),
    ...(traceparent && { traceparent }),
    ...said,
  };
}

export function sendIdOf(call: Pick<Call, 'workspaceId' | 'operationId'>): string {
  return deterministicIdOf('snd', call);
}

/** The same operation with another request is a mistake of the caller's. */
export function fingerprintOf(request: Uint8Array): string {
  return createHash('sha256').update(request).digest('hex');
}
