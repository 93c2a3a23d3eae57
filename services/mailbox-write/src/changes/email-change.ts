import type { EmailDocument, OwedEvent, OwedProviderChange } from '@postroom/mail-store/documents/email';
import type { LabelDocument } from '@postroom/mail-store/documents/label';
import type { ServiceContext } from '@postroom/runtime/service';

export type Flags = Pick<EmailDocument, 'isRead' | 'isStarred'>;

/** One change of one email: what must still be true for it to be a change at all, and everything it writes. */
export interface EmailChange {
  emailId: string;
  when: Partial<Flags> | { folderType: { $ne: 'TRASH' } } | { labelIds: string | { $ne: string } };
  set: Partial<Pick<EmailDocument, 'isRead' | 'isStarred' | 'folderId' | 'folderType'>>;
  labelAdded?: string;
  labelRemoved?: string;
  events: OwedEvent[];
  provider: OwedProviderChange[];
}

/** Where an email lives, as far as a change needs to know. */
export interface Home {
  /** Only a mailbox behind IMAP has a server that must be told. */
  tellsProvider: boolean;
  trashFolderId: string | null;
}

export type EmailChanges = ReturnType<typeof createEmailChanges>;

/** Builds changes; the event and the word to the provider are part of them, so that they are written or lost as one. */
export function createEmailChanges({ ids, clock }: Pick<ServiceContext, 'ids' | 'clock'>) {
  const event = (type: OwedEvent['type'], data: OwedEvent['data']): OwedEvent => ({
    id: ids('evt'),
    type,
    occurredAt: clock.date(),
    data,
  });
  const toProvider = (home: Home, change: Partial<OwedProviderChange> & Pick<OwedProviderChange, 'kind'>) =>
    home.tellsProvider ? [{ id: ids('chg'), isRead: null, isStarred: null, folderId: null, ...change }] : [];

  return {
    /** `from` is the state it was read in, `to` what was asked for; only what differs is written and announced. */
    marked(emailId: string, from: Partial<Flags>, to: Partial<Flags>, home: Home): EmailChange {
      const names = (Object.keys(to) as (keyof Flags)[]).filter((name) => from[name] !== to[name]);
      const set: Partial<Flags> = Object.fromEntries(names.map((name) => [name, to[name]]));
      const events = names.map((name) => event('email.updated', { emailId, changes: { [name]: to[name] } }));
      return { emailId, when: from, set, events, provider: toProvider(home, { kind: 'flags', ...set }) };
    },

    trashed(emailId: string, folderId: string, home: Home): EmailChange {
      return {
        emailId,
        when: { folderType: { $ne: 'TRASH' } },
        set: { folderId, folderType: 'TRASH' },
        events: [event('email.deleted', { emailId })],
        provider: toProvider(home, { kind: 'move', folderId }),
      };
    },

    labelled(emailId: string, label: Pick<LabelDocument, '_id' | 'name' | 'isAiLabel'>): EmailChange {
      const data = { emailId, tagId: label._id, tagName: label.name, isAiLabel: label.isAiLabel };
      return {
        emailId,
        when: { labelIds: { $ne: label._id } },
        set: {},
        labelAdded: label._id,
        events: [event('label.applied', data)],
        provider: [],
      };
    },

    unlabelled(emailId: string, labelId: string): EmailChange {
      return { emailId, when: { labelIds: labelId }, set: {}, labelRemoved: labelId, events: [], provider: [] };
    },
  };
}
