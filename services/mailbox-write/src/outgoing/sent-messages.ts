import type { Call } from '@postroom/rpc/call';
import type { Relay } from '@postroom/events/outbox/relay';
import type { PendingCopyStore } from './pending-copy-store.ts';
import type { RemoveAnnounced } from '../removals/announce-removal.ts';
import type { Ingest } from '../ingest/ingest.ts';
import type { OwnMail } from './own-mail.ts';
import { createMarkSent } from './mark-sent.ts';
import { createPendingCopies, type PendingCopyDeps } from './pending-copies.ts';
import { isTakenOver, type Outgoing, type OutgoingStore } from './outgoing-store.ts';

export interface SentMessagesDeps extends PendingCopyDeps {
  stores: { outgoing: OutgoingStore; pendingCopies: PendingCopyStore };
  relay: Pick<Relay, 'publishSoon'>;
  ingest: Pick<Ingest, 'requireMailbox' | 'store'>;
  removeAnnounced: RemoveAnnounced;
}

/** Each way gives the email that the message is in the end. */
export function createSentMessages({ stores, relay, context, ingest, removeAnnounced }: SentMessagesDeps) {
  const { outgoing } = stores;
  const copies = createPendingCopies({ stores, context });
  const { withCopy, forget } = copies;
  const { adopt, markSent } = createMarkSent({ stores, relay, context, copies });

  const file = async (made: OwnMail, call: Call): Promise<Outgoing> => {
    const what = await withCopy(made, call);
    const { emailId, email } = await ingest.store(what.mailbox, what.arrival);
    const stored = email ?? (await outgoing.standing(call.workspaceId, emailId, call));
    // A repeat has kept the copy again, and it may have been handed over before.
    if (stored.providerChanges.append?.id !== what.append?.pending.id) await forget(call, what.append?.pending);
    if (stored.sourceKey === what.arrival.incoming.sourceKey) return stored;
    return stored.isDraft ? stored : adopt(stored, what, call);
  };

  return {
    adopt,
    file,

    /** A draft that a person changed while it was sent stays a draft, and the sent message is another email. */
    convertToSent: async (draft: Outgoing, copy: Outgoing | null, made: OwnMail, call: Call): Promise<Outgoing> => {
      const { workspaceId } = call;
      if (isTakenOver(draft)) return file(made, call);
      if (!copy) return (await markSent(draft, await withCopy(made, call), call)) ?? file(made, call);
      const adopted = await adopt(copy, made, call, draft.place);
      await removeAnnounced(workspaceId, made.mailbox._id, [{ _id: draft._id, outbox: {} }], async ([draftId = '']) =>
        (await outgoing.removeDraft(workspaceId, draftId, call)) ? [] : [draftId],
      );
      await forget(call, draft.providerChanges.append);
      return adopted;
    },
  };
}
