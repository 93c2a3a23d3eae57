import { encodeEvent } from '@postroom/events/event';
import type { Relay } from '@postroom/events/outbox/relay';
import type { EmailDocument, RemovedEmailDocument } from '@postroom/mail-store/documents/email';
import { firstOutbox } from '@postroom/mail-store/outbox';
import { toOutboxEntry } from '@postroom/mail-store/outbox-store';
import type { ServiceContext } from '@postroom/runtime/service';
import type { RemovedEmailStore } from './removed-email-store.ts';

/** An email that leaves, with its pending events. */
export type LeavingEmail = Pick<EmailDocument, '_id' | 'outbox'>;

export interface RemovalDeps {
  removedEmails: RemovedEmailStore;
  relay: Pick<Relay, 'publishSoon'>;
  context: Pick<ServiceContext, 'clock' | 'ids'>;
}

/** Removes some emails, and gives back the ids of those that are still there. */
type Remove = (emailIds: readonly string[]) => Promise<readonly string[]>;

const DAY_MS = 86_400_000;
const KEPT_MS = 30 * DAY_MS;
/** Nobody else publishes the event before, since the email is still there until it is deleted. */
const REMOVING_MS = 60_000;

export type RemoveAnnounced = ReturnType<typeof createRemoveAnnounced>;

/**
 * Removes emails and publishes the event of each. The event is stored before the email is deleted, so that no crash loses
 * it, and published behind that: whoever hears of it finds the email gone. Its other pending events go with it.
 */
export function createRemoveAnnounced({ removedEmails, relay, context: { clock, ids } }: RemovalDeps) {
  return async (
    workspaceId: string,
    mailboxId: string,
    emails: readonly LeavingEmail[],
    remove: Remove,
  ): Promise<number> => {
    if (emails.length === 0) return 0;
    const now = clock.date();
    const documents = emails.map(({ _id: emailId, outbox }): RemovedEmailDocument => {
      const about = { id: ids('evt'), type: 'email.removed', workspaceId, occurredAt: now } as const;
      const removed = encodeEvent({ ...about, data: { emailId, mailboxId } });
      const pending = firstOutbox({ ...outbox, removed }, new Date(now.getTime() + REMOVING_MS));
      return { _id: emailId, workspaceId, mailboxId, expiresAt: new Date(now.getTime() + KEPT_MS), ...pending };
    });
    await removedEmails.announce(workspaceId, documents);
    const left = new Set(await remove(emails.map(({ _id }) => _id)));
    if (left.size > 0) await removedEmails.retract(workspaceId, [...left]);
    const gone = documents.filter(({ _id }) => !left.has(_id));
    relay.publishSoon(gone.map(toOutboxEntry));
    return gone.length;
  };
}
