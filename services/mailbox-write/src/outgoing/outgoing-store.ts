import type { Writes } from '@postroom/mail-store/access';
import type { EmailDocument, ProviderChanges, ScheduleClaimPart } from '@postroom/mail-store/documents/email';
import type { Outbox } from '@postroom/mail-store/documents/outbox';
import { SHOWN_OF_EMAIL, type ShownEmail } from '@postroom/mail-store/email-message';
import { outboxUpdate } from '@postroom/mail-store/outbox';
import { toListProjection } from '@postroom/mail-store/list-projection';
import { timeLimit, type TimeBudget } from '@postroom/mail-store/time-limit';
import { type SentNames, sentAs } from '../ingest/ingest.ts';
import { WITHOUT_EVENTS } from '../removals/announce-removal.ts';

export type OutgoingStore = ReturnType<typeof createOutgoingStore>;

/** An email with the fields of its origin. */
export type Outgoing = ShownEmail & Pick<EmailDocument, 'sourceKey' | 'messageKey' | 'place' | 'providerChanges'>;

/** The changes that sending makes to a draft, or to the provider's own copy. */
export interface Sent {
  set: Partial<EmailDocument>;
  events: Outbox;
  pending: ProviderChanges;
  operationId: string;
  at: Date;
}

export interface Before {
  /** The email that the operation has made before. */
  known: Outgoing | null;
  draft: Outgoing | null;
  /** The copy that the provider has filed among the sent emails. */
  copy: Outgoing | null;
}

const SHOWN = { ...SHOWN_OF_EMAIL, sourceKey: 1, messageKey: 1, place: 1, providerChanges: 1 } as const;
/** As many as of other changes; see change-update.ts. */
const MARKS_KEPT = 64;

/** A canceled automatic draft belongs to a person, and stays a draft in any case. */
const NOT_TAKEN_OVER = { scheduledStatus: { $ne: 'canceled' } } as const;
/** A draft that is being sent. The message would leave, and its draft would stay. */
const NOT_LEAVING = { scheduledStatus: { $ne: 'sending' } } as const;
export const isTakenOver = ({ isDraft, scheduledStatus }: Pick<Outgoing, 'isDraft' | 'scheduledStatus'>): boolean =>
  isDraft && scheduledStatus === 'canceled';

/** A draft remembers so many claims. A process that stood still may come late behind the whole of another send. */
const CLAIMS_KEPT = 32;
const isLater = ({ sendId, epoch }: ScheduleClaimPart) => ({
  scheduleClaims: { $elemMatch: { sendId, epoch: { $gt: epoch } } },
});
/** A draft that a person has sent instead of waiting for its reply, whose end may be shown late. */
const isLeavingByAnother = ({ sendId }: ScheduleClaimPart) => ({
  scheduledStatus: 'sending',
  scheduleClaims: { $elemMatch: { sendId: { $ne: sendId } } },
});

export function createOutgoingStore({ emails, bodies }: Writes<'emails' | 'bodies'>) {
  const findOne = (filter: object, budget: TimeBudget) =>
    emails.findOne(filter, SHOWN, timeLimit(budget)).lean<Outgoing | null>();
  /** As that very change left it. */
  const change = (filter: object, update: object, budget: TimeBudget) => {
    const options = { ...timeLimit(budget), projection: SHOWN, returnDocument: 'after' } as const;
    return emails.findOneAndUpdate(filter, update, options).lean<Outgoing | null>();
  };

  return {
    find(workspaceId: string, emailId: string, budget: TimeBudget): Promise<Outgoing | null> {
      return findOne({ workspaceId, _id: emailId }, budget);
    },

    /** One that was there a moment ago. */
    async standing(workspaceId: string, emailId: string, budget: TimeBudget): Promise<Outgoing> {
      const found = await findOne({ workspaceId, _id: emailId }, budget);
      if (!found) throw new Error('an email that was stored a moment ago is not there');
      return found;
    },

    /** Null where the email is not a draft any more, or its provider keeps it elsewhere than was read. */
    markSent(workspaceId: string, draft: Outgoing, sent: Sent, budget: TimeBudget): Promise<Outgoing | null> {
      const set = { ...sent.set, rendered: toListProjection({ ...draft, ...sent.set }) };
      const update = { ...updateOf({ ...sent, set }), $unset: { place: '', gone: '' } };
      const asRead = { messageKey: draft.messageKey, 'place.uid': draft.place?.uid ?? { $exists: false } };
      const filter = { workspaceId, _id: draft._id, isDraft: true, ...NOT_TAKEN_OVER, ...asRead };
      return change(filter, update, budget);
    },

    /** Adds the facts of a sent message to the provider's copy once; null at a repeat. */
    adopt(workspaceId: string, emailId: string, sent: Sent, budget: TimeBudget): Promise<Outgoing | null> {
      return change({ workspaceId, _id: emailId, recentChanges: { $ne: sent.operationId } }, updateOf(sent), budget);
    },

    ...ofOperations({ emails }),

    ...drafts({ emails, bodies }),
    ...schedules(change),
  };
}

type Change = (filter: object, update: object, budget: TimeBudget) => Promise<Outgoing | null>;

function schedules(change: Change) {
  return {
    /**
     * Null where it is no draft any more, where it is a person's by now, or where a later claim of the same send wrote to it: a
     * process that stood still may come late. Nothing leaves from the trash, and neither a person nor the end of another
     * send touches what is leaving.
     */
    schedule(
      workspaceId: string,
      emailId: string,
      set: Pick<EmailDocument, 'scheduledSendAt' | 'scheduledStatus'>,
      by: ScheduleClaimPart | undefined,
      budget: TimeBudget,
    ): Promise<ShownEmail | null> {
      // A draft without a schedule is an ordinary one: nothing sends it by itself.
      const isEnd = set.scheduledStatus === 'canceled' || set.scheduledStatus === null;
      const which = !isEnd ? NOT_TAKEN_OVER : by ? {} : NOT_LEAVING;
      const where = set.scheduledStatus === 'sending' ? { folderType: { $ne: 'TRASH' } } : {};
      const isOther = set.scheduledStatus === 'canceled' ? [isLeavingByAnother] : [];
      const fenced = by ? { $nor: [isLater, ...isOther].map((is) => is(by)) } : {};
      const update = { $set: set, ...(by && { $push: { scheduleClaims: { $each: [by], $slice: -CLAIMS_KEPT } } }) };
      return change({ workspaceId, _id: emailId, isDraft: true, ...which, ...where, ...fenced }, update, budget);
    },
  };
}

function ofOperations({ emails }: Writes<'emails'>) {
  return {
    /** One question for all emails that may be there before a message is stored. */
    async findBefore(
      workspaceId: string,
      mailboxId: string,
      { sourceKey, draftId, mail }: { sourceKey: string; draftId: string; mail: SentNames },
      budget: TimeBudget,
    ): Promise<Before> {
      const within = { workspaceId, mailboxId };
      const either = [{ ...within, sourceKey }, { workspaceId, _id: draftId }, ...sentAs(within, [mail])];
      const found = await emails.find({ $or: either }, SHOWN, timeLimit(budget)).lean<Outgoing[]>();
      const isMade = (email: Outgoing) => email.mailboxId === mailboxId && email.sourceKey === sourceKey;
      return {
        known: found.find(isMade) ?? null,
        draft: found.find(({ _id }) => _id === draftId) ?? null,
        copy: found.find((email) => !isMade(email) && email._id !== draftId) ?? null,
      };
    },
  };
}

/** Drafts that a person takes over, or that end when their message is stored elsewhere. */
function drafts({ emails, bodies }: Writes<'emails' | 'bodies'>) {
  return {
    /** Makes an automatic draft a person's draft. False when it has left. */
    async takeOver(workspaceId: string, emailId: string, budget: TimeBudget): Promise<boolean> {
      const canceled = { $set: { scheduledStatus: 'canceled', scheduledSendAt: null } } as const;
      const draft = { workspaceId, _id: emailId, isDraft: true };
      return (await emails.updateOne(draft, canceled, timeLimit(budget))).matchedCount === 1;
    },

    /** False where it is no draft any more, has a pending event, or is a person's by now. */
    async removeDraft(workspaceId: string, emailId: string, budget: TimeBudget): Promise<boolean> {
      const draft = { workspaceId, _id: emailId, isDraft: true, ...NOT_TAKEN_OVER, ...WITHOUT_EVENTS } as const;
      const { deletedCount } = await emails.deleteOne(draft, timeLimit(budget));
      if (deletedCount === 1) await bodies.deleteOne({ workspaceId, _id: emailId }, timeLimit(budget));
      return deletedCount === 1;
    },
  };
}

function updateOf({ set, events, pending, operationId, at }: Sent) {
  const { $set, $min } = outboxUpdate(events, at);
  const told = Object.entries(pending).map(([name, change]) => [`providerChanges.${name}`, change] as const);
  return {
    $set: { ...set, ...$set, ...Object.fromEntries(told) },
    ...(($min || told.length > 0) && { $min: { ...$min, ...(told.length > 0 && { providerChangesSince: at }) } }),
    $push: { recentChanges: { $each: [operationId], $slice: -MARKS_KEPT } },
  };
}
