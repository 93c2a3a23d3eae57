import { DRAFT_SOURCES, isOneOf, SCHEDULED_STATUSES } from '@postroom/contract/lists';
import { refuse } from '@postroom/errors/refuse';
import type { DraftPart } from '@postroom/mail-store/documents/email';
import { outgoingKey } from '@postroom/mail-store/outgoing-key';
import type { StoreOutgoingRequest } from '@postroom/proto/postroom/v1/mailbox_write';
import type { Incoming } from '../incoming/incoming.ts';

/** A validated local message in the form of incoming mail. */
export function readOutgoing(request: StoreOutgoingRequest, operationId: string, now: Date): Incoming {
  const { raw, folderType, scheduledSendAt, scheduledStatus = null, isAutoForward, isAutoReply } = request;
  if (!isOneOf(['DRAFTS', 'SENT', 'INBOX'], folderType)) refuse('folderType', 'must be DRAFTS, SENT or INBOX');
  if (scheduledStatus !== null && !isOneOf(SCHEDULED_STATUSES, scheduledStatus))
    refuse('scheduledStatus', `must be one of ${SCHEDULED_STATUSES.join(', ')}`);
  const draft = folderType === 'DRAFTS' ? draftOf(request, now) : null;
  const sendAt = scheduledSendAt === undefined ? null : new Date(scheduledSendAt);
  return {
    sourceKey: outgoingKey(operationId),
    raw,
    folderType,
    providerThreadId: null,
    providerLabels: [],
    isRead: folderType !== 'INBOX',
    isStarred: false,
    isHistory: false,
    receivedAt: null,
    folderId: null,
    providerId: '',
    outgoing: {
      shown: { isAutoForward, isAutoReply, scheduledSendAt: sendAt, scheduledStatus, draft },
      announcesDraftSent: request.announcesDraftSent,
      ...(request.answered && { answered: request.answered }),
    },
  };
}

function draftOf({ source, ruleId, signature }: StoreOutgoingRequest, now: Date): DraftPart {
  if (!isOneOf(DRAFT_SOURCES, source)) refuse('source', `must be one of ${DRAFT_SOURCES.join(', ')}`);
  return { source, ruleId: ruleId ?? null, signature: signature ?? null, createdAt: now, updatedAt: now };
}
