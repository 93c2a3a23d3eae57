import type { QuarantinedMessageDocument } from '@postroom/mail-store/documents/email';
import type { Call } from '@postroom/rpc/call';
import type { Clock } from '@postroom/runtime/clock';
import type { MailboxWriteOperatorServiceDefinition } from '@postroom/proto/postroom/v1/mailbox_write';
import type { Handlers } from '@postroom/rpc/definition';
import type { Incoming, Outcome } from '../incoming/incoming.ts';
import type { QuarantineStore } from '../quarantine/quarantine-store.ts';
import type { Ingest } from './ingest.ts';

const USUAL_LIST = 50;
const LONGEST_LIST = 1_000;
/** "All" leaves out messages that failed so often. They are retried only by their id. */
const MOST_ATTEMPTS = 5;

interface Deps {
  store: QuarantineStore;
  ingest: Pick<Ingest, 'again'>;
  clock: Pick<Clock, 'date'>;
}

export function createQuarantinedMessageHandlers({ store, ingest, clock }: Deps) {
  const retry = async (message: QuarantinedMessageDocument, call: Call): Promise<boolean> => {
    const { workspaceId } = call;
    const incoming = toIncoming(message, await store.bytes(workspaceId, message._id));
    const [outcome] = (await ingest.again(message.mailboxId, [incoming], call)) as [Outcome];
    if (outcome.outcome === 'quarantined') await store.tried(workspaceId, message._id, outcome.cause ?? message.cause);
    else await store.remove(workspaceId, message._id);
    return outcome.outcome !== 'quarantined';
  };

  return {
    listQuarantinedMessages: async ({ mailboxId, limit }, { workspaceId }) => {
      const most = limit > 0 ? Math.min(limit, LONGEST_LIST) : USUAL_LIST;
      return { items: (await store.list(workspaceId, mailboxId, clock.date(), most)).map(toMessage) };
    },

    retryQuarantinedMessages: async ({ ids }, call) => {
      const { workspaceId } = call;
      const chosen = await (ids.length > 0
        ? store.find(workspaceId, ids, clock.date())
        : store.findTriedLess(workspaceId, MOST_ATTEMPTS, clock.date(), LONGEST_LIST));
      const answer = { stored: 0, stillQuarantined: 0 };
      for (const message of chosen) {
        // The rest keeps for the next call, whose answer then counts it.
        if (call.signal.aborted) break;
        if (await retry(message, call)) answer.stored += 1;
        else answer.stillQuarantined += 1;
      }
      return answer;
    },
  } satisfies Partial<Handlers<MailboxWriteOperatorServiceDefinition>>;
}

function toMessage({ _id, mailboxId, sourceKey, cause, size, attempts, createdAt }: QuarantinedMessageDocument) {
  return { id: _id, mailboxId, sourceKey, cause, size, attempts, createdAt: createdAt.toISOString() };
}

function toIncoming(message: QuarantinedMessageDocument, raw: Buffer): Incoming {
  const { sourceKey, folderType, folderId, providerId, place: location, providerThreadId, providerLabels } = message;
  const { isRead, isStarred, isHistory, receivedAt } = message;
  return {
    sourceKey,
    raw,
    folderType,
    folderId,
    providerId,
    ...(location && { place: location }),
    providerThreadId: providerThreadId ?? null,
    providerLabels: providerLabels ?? [],
    isRead,
    isStarred,
    isHistory,
    receivedAt,
  };
}
