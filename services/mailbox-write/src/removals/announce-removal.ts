import { encodeEvent } from '@postroom/events/event';
import type { Relay } from '@postroom/events/outbox/relay';
import type { RemovedEmailDocument } from '@postroom/mail-store/documents/email';
import { firstOutbox } from '@postroom/mail-store/outbox';
import { toOutboxEntry } from '@postroom/mail-store/outbox-store';
import type { ServiceContext } from '@postroom/runtime/service';
import { type LeavingEmail, REMOVED_KEPT_MS, type RemovedEmailStore, WITHOUT_EVENTS } from './removed-email-store.ts';

export type { LeavingEmail };
export { REMOVED_KEPT_MS, WITHOUT_EVENTS };

interface RemovalDeps {
  removedEmails: RemovedEmailStore;
  relay: Pick<Relay, 'publishSoon'>;
  context: Pick<ServiceContext, 'clock' | 'ids'>;
}

/** Removes those of some emails that have no pending event, and gives back the ids of those that are still there. */
type Remove = (emailIds: readonly string[]) => Promise<readonly string[]>;

/** Nobody else publishes the event before, since the email is still there until it is deleted. */
const REMOVING_MS = 60_000;
/** Each attempt more means that somebody changed one of the emails meanwhile. */
const MOST_ATTEMPTS = 20;

export type RemoveAnnounced = ReturnType<typeof createRemoveAnnounced>;

/**
 * Removes emails and publishes the event of each. The event is stored before the email is deleted, so that no crash loses
 * it, and published behind that: whoever hears of it finds the email gone. Pending events of the email are copied beside
 * it and taken off the email. An email with a pending event is not deleted, so an event that comes later is copied too.
 */
export function createRemoveAnnounced({ removedEmails, relay, context: { clock, ids } }: RemovalDeps) {
  const documentOf = (workspaceId: string, mailboxId: string, { _id: emailId, outbox }: LeavingEmail) => {
    const now = clock.date();
    const about = { id: ids('evt'), type: 'email.removed', workspaceId, occurredAt: now } as const;
    const removed = encodeEvent({ ...about, data: { emailId, mailboxId } });
    const pending = firstOutbox({ ...outbox, removed }, new Date(now.getTime() + REMOVING_MS));
    return { _id: emailId, workspaceId, mailboxId, expiresAt: new Date(now.getTime() + REMOVED_KEPT_MS), ...pending };
  };

  const retract = async (workspaceId: string, emailIds: readonly string[], documents: Map<string, unknown>) => {
    for (const id of emailIds) documents.delete(id);
    if (emailIds.length > 0) await removedEmails.retract(workspaceId, emailIds, clock.date());
  };

  return async (
    workspaceId: string,
    mailboxId: string,
    emails: readonly LeavingEmail[],
    remove: Remove,
  ): Promise<number> => {
    const documents = new Map<string, RemovedEmailDocument>();
    let leaving = emails;
    for (let attempt = 0; leaving.length > 0 && attempt < MOST_ATTEMPTS; attempt += 1) {
      const announced = leaving.map((email) => documentOf(workspaceId, mailboxId, email));
      for (const document of announced) documents.set(document._id, merged(documents.get(document._id), document));
      await removedEmails.announce(workspaceId, announced);
      await removedEmails.takeEvents(workspaceId, leaving);
      const left = await remove(leaving.map(({ _id }) => _id));
      leaving = left.length > 0 ? await removedEmails.withEvents(workspaceId, left) : [];
      const staying = left.filter((id) => !leaving.some(({ _id }) => _id === id));
      await retract(workspaceId, staying, documents);
    }
    await retract(
      workspaceId,
      leaving.map(({ _id }) => _id),
      documents,
    );
    relay.publishSoon([...documents.values()].map(toOutboxEntry));
    return documents.size;
  };
}

/** With the events of an earlier attempt. */
function merged(before: RemovedEmailDocument | undefined, document: RemovedEmailDocument): RemovedEmailDocument {
  return { ...document, outbox: { ...before?.outbox, ...document.outbox } };
}
