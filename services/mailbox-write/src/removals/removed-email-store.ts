import type { Writes } from '@postroom/mail-store/access';
import type { EmailDocument, RemovedEmailDocument } from '@postroom/mail-store/documents/email';
import { CLAIM_ENDED } from '@postroom/mail-store/outbox';
import { QUERY_LIMIT } from '@postroom/mail-store/time-limit';

export type RemovedEmailStore = ReturnType<typeof createRemovedEmailStore>;

/** An email that leaves, with its pending events. */
export type LeavingEmail = Pick<EmailDocument, '_id' | 'outbox'>;

const DAY_MS = 86_400_000;
/** The time of a removal is told by the end of this. */
export const REMOVED_KEPT_MS = 30 * DAY_MS;

/** Emails that an earlier version stored have no outbox. */
const NO_EVENTS = [{}, null];
/** The condition under which an email is deleted. */
export const WITHOUT_EVENTS = { outbox: { $in: NO_EVENTS } } as const;

/** The events of emails that are removed, which outlive them. */
export function createRemovedEmailStore({ removedEmails, emails }: Writes<'removedEmails' | 'emails'>) {
  return {
    /** Adds the events to those of an earlier attempt, which a crash may have cut off. */
    async announce(workspaceId: string, removed: readonly RemovedEmailDocument[]): Promise<void> {
      const writes = removed.map(({ _id, workspaceId: _same, outbox, ...fields }) => {
        const events = Object.entries(outbox).map(([name, event]) => [`outbox.${name}`, event]);
        const update = { $set: { ...fields, ...Object.fromEntries(events), ...CLAIM_ENDED } };
        return { updateOne: { filter: { _id, workspaceId }, update, upsert: true } };
      });
      await removedEmails.collection.bulkWrite(writes as never[], { ordered: false, ...QUERY_LIMIT });
    },

    /** Takes these events off their emails. An event that came later stays. */
    async takeEvents(workspaceId: string, leaving: readonly LeavingEmail[]): Promise<void> {
      const writes = leaving.flatMap(({ _id, outbox }) =>
        Object.entries(outbox).map(([name, { id }]) => {
          const filter = { _id, workspaceId, [`outbox.${name}.id`]: id };
          return { updateOne: { filter, update: { $unset: { [`outbox.${name}`]: '' } } } };
        }),
      );
      if (writes.length > 0) await emails.collection.bulkWrite(writes as never[], { ordered: false, ...QUERY_LIMIT });
    },

    /** Those of these emails that have pending events. */
    withEvents(workspaceId: string, emailIds: readonly string[]): Promise<LeavingEmail[]> {
      return emails
        .find({ workspaceId, _id: { $in: [...emailIds] }, outbox: { $nin: NO_EVENTS } }, { outbox: 1 }, QUERY_LIMIT)
        .lean<LeavingEmail[]>();
    },

    /** These emails stay. Their other events are published from here. */
    async retract(workspaceId: string, emailIds: readonly string[], now: Date): Promise<void> {
      await removedEmails.updateMany(
        { workspaceId, _id: { $in: [...emailIds] } },
        { $unset: { 'outbox.removed': '' }, $set: { owedSince: now, ...CLAIM_ENDED } },
        QUERY_LIMIT,
      );
    },
  };
}
