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
  const operation = sendIdOf(call);
  const { wire, kept } = await inFairOrder(call.workspaceId, () => compose({ ...composition, operation }));
  return { ...fieldsOf(call, composition), wire, kept: composition.bcc.length > 0 ? kept : null, ...said };
}

/** The send of an operation of which nothing was tried. A call that would begin it finds that it has ended. */
export function failedSend(
  call: Pick<Call, 'workspaceId' | 'operationId'>,
  composition: Composition,
  { said, why }: { said: Omit<Said, 'nextAt'>; why: string },
): SendDocument {
  return { ...fieldsOf(call, composition), ...said, state: 'failed', lastError: why };
}

type Undecided = 'kind' | 'mailboxId' | 'fingerprint';

function fieldsOf(
  call: Pick<Call, 'workspaceId' | 'operationId'>,
  { messageId, from, to, cc, bcc, date }: Composition,
): Omit<SendDocument, Undecided> {
  const traceparent = currentTraceparent();
  return {
    _id: sendIdOf(call),
    workspaceId: call.workspaceId,
    state: 'scheduled',
    messageId,
    from: from.email,
    to: [...to, ...cc, ...bcc].map(({ email }) => email),
    wire: null,
    kept: null,
    nextAt: null,
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
  };
}

export function sendIdOf(call: Pick<Call, 'workspaceId' | 'operationId'>): string {
  return deterministicIdOf('snd', call);
}

/** The same operation with another request is a mistake of the caller's. */
export function fingerprintOf(request: Uint8Array): string {
  return createHash('sha256').update(request).digest('hex');
}
