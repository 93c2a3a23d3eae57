import { encodeEvent } from '@postroom/events/event';
import type { DataOf, EventType } from '@postroom/events/event-table';
import type { OutboxEntry } from '@postroom/events/outbox/outbox-store';
import type { AsRead } from './email-as-read.ts';
import type { Confirmed, EmailDocument, ProviderChanges } from '@postroom/mail-store/documents/email';
import type { LabelEffectPart, UndonePart } from '@postroom/mail-store/documents/effect';
import type { LabelDocument } from '@postroom/mail-store/documents/label';
import { UNDOABLE_DRAFTS } from '@postroom/mail-store/effect-state';
import type { Outbox } from '@postroom/mail-store/documents/outbox';
import type { ServiceContext } from '@postroom/runtime/service';

export type Flags = Pick<EmailDocument, 'isRead' | 'isStarred'>;

/** One change of one email: what must still be true for it to be a change at all, and everything it writes. */
export interface EmailChange {
  emailId: string;
  at: Date;
  when:
    | Partial<Flags>
    | { folderType: { $ne: 'TRASH' } }
    | { labelIds: string | { $ne: string } }
    | { labelIds: { $nin: string[] }; classifiedAt?: { $exists: false } }
    | { labelIds: { $nin: string[] }; 'labelEffects.id': { $nin: string[] } }
    | StandingLabel
    | StandingDraft
    | SeenDraft
    | AsRead
    | (AsRead & Pick<EmailDocument, 'scheduledStatus'>);
  set: Partial<EmailDocument>;
  /** Names of fields, and of fields in fields. */
  unset?: readonly string[];
  /** The time at which the provider confirmed a pending change. The latest counts. */
  confirmed?: Confirmed;
  labelsAdded?: string[];
  labelRemoved?: string;
  /** The effects of rules that this change is. */
  effects?: LabelEffectPart[];
  /** The effect that this change undoes. */
  undone?: UndonePart;
  events: Outbox;
  provider: ProviderChanges;
}

/** A label is on the email, since a rule put it there. */
interface StandingLabel {
  labelIds: string;
  ruleLabelIds: string;
  'undoneEffects.effectId': { $ne: string };
}

/** A draft is as its rule left it, and its send has not begun. Nothing begins to send a draft that is canceled. */
interface StandingDraft {
  isDraft: true;
  folderType: 'DRAFTS';
  scheduledStatus: { $in: typeof UNDOABLE_DRAFTS };
}

/** A draft is as somebody saw it. */
export type SeenDraft = Pick<EmailDocument, 'date' | 'scheduledStatus'> & { isDraft: true; folderType: 'DRAFTS' };

/** The facts about the mailbox of an email that a change needs. */
export interface Home {
  /** Only a mailbox behind IMAP has a server that must be told. */
  tellsProvider: boolean;
  trashFolderId: string | null;
}

/** The pending events of the change, for the relay. */
export function toOutboxEntry({ emailId, events }: EmailChange): OutboxEntry {
  return { ownerId: emailId, events };
}

export type Changed = Pick<EmailDocument, '_id' | 'mailboxId'>;

/** The name of the pending event that a label was applied. */
export const appliedName = (labelId: string): string => `applied:${labelId}`;

export type AppliedLabel = Pick<LabelDocument, '_id' | 'name' | 'isAiLabel'>;

/** The parts of every change. */
export function createMakers({ ids, clock }: Pick<ServiceContext, 'ids' | 'clock'>) {
  const event = <T extends EventType>(workspaceId: string, type: T, data: DataOf<T>) =>
    encodeEvent({ id: ids('evt'), type, workspaceId, occurredAt: clock.date(), data });
  return {
    event,
    /** The events that these labels were applied. */
    applied: (workspaceId: string, { _id: emailId, mailboxId }: Changed, labels: readonly AppliedLabel[]): Outbox =>
      Object.fromEntries(
        labels.map(({ _id: tagId, name: tagName, isAiLabel }) => {
          const data = { emailId, mailboxId, tagId, tagName, isAiLabel };
          return [appliedName(tagId), event(workspaceId, 'label.applied', data)];
        }),
      ),
    change: ({ _id }: Changed, parts: Pick<EmailChange, 'when'> & Partial<EmailChange>): EmailChange => ({
      emailId: _id,
      at: clock.date(),
      set: {},
      events: {},
      provider: {},
      ...parts,
    }),
  };
}

export type EmailChanges = ReturnType<typeof createEmailChanges>;

/** Builds changes; the event and the word to the provider are part of them, so that they are written or lost as one. */
export function createEmailChanges({ ids, clock }: Pick<ServiceContext, 'ids' | 'clock'>) {
  const { event, change } = createMakers({ ids, clock });
  const toProvider = <T>({ tellsProvider }: Home, name: keyof ProviderChanges, to: T) =>
    tellsProvider ? { [name]: { id: ids('chg'), to, at: clock.date() } } : {};

  const trashed = (workspaceId: string, email: Changed, folderId: string, home: Home): EmailChange => {
    const { _id: emailId, mailboxId } = email;
    return change(email, {
      when: { folderType: { $ne: 'TRASH' } },
      set: { folderId, folderType: 'TRASH' },
      events: { deleted: event(workspaceId, 'email.deleted', { emailId, mailboxId }) },
      provider: toProvider(home, 'folderId', folderId),
    });
  };

  return {
    /** `from` is the state it was read in, `to` what was asked for; only what differs is written and announced. */
    marked(workspaceId: string, email: Changed, from: Partial<Flags>, to: Partial<Flags>, home: Home): EmailChange {
      const { _id: emailId, mailboxId } = email;
      const names = (Object.keys(to) as (keyof Flags)[]).filter((name) => from[name] !== to[name]);
      const set: Partial<Flags> = Object.fromEntries(names.map((name) => [name, to[name]]));
      const updated = (name: keyof Flags) =>
        event(workspaceId, 'email.updated', { emailId, mailboxId, changes: { [name]: to[name] } });
      return change(email, {
        when: from,
        set,
        events: Object.fromEntries(names.map((name) => [name, updated(name)])),
        provider: Object.assign({}, ...names.map((name) => toProvider(home, name, to[name]))) as ProviderChanges,
      });
    },

    trashed,

    /**
     * Throws away the draft of a rule. Its schedule ends in the same write: a send shows on its draft that it begins, and
     * does not begin where the draft is canceled.
     */
    discarded(workspaceId: string, email: Changed, folderId: string, home: Home, by: string): EmailChange {
      const { set, ...rest } = trashed(workspaceId, email, folderId, home);
      return {
        ...rest,
        when: { isDraft: true, folderType: 'DRAFTS', scheduledStatus: { $in: UNDOABLE_DRAFTS } },
        set: { ...set, scheduledStatus: 'canceled', scheduledSendAt: null },
        undone: { effectId: email._id, by, at: clock.date() },
      };
    },
  };
}
