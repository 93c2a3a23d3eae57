import { EmailDeleted, EmailReceived, EmailUpdated, Event, LabelApplied } from '@postroom/proto/postroom/v1/events';
import type { EmailDocument, ProviderChanges } from '../documents/email.ts';
import type { Outbox } from '../documents/outbox.ts';
import { rewrite, type MigrationStep } from './step.ts';

/** As version 1 kept them: one behind the other, and the data unencoded. */
interface OldEvent {
  id: string;
  type: 'email.received' | 'email.updated' | 'email.deleted' | 'label.applied';
  occurredAt: Date;
  data: object;
}

interface OldChange {
  id: string;
  isRead: boolean | null;
  isStarred: boolean | null;
  folderId: string | null;
}

interface OldEmail {
  owed: OldEvent[];
  hasOwed: boolean;
  owedToProvider: OldChange[];
}

type Email = Pick<
  EmailDocument,
  '_id' | 'workspaceId' | 'mailboxId' | 'outbox' | 'owedSince' | 'providerChanges' | 'providerChangesSince'
> &
  Partial<OldEmail>;

/** Version 1 kept no time with them. */
const LONG_AGO = new Date(1);

type Data = NonNullable<Event['data']>;

/** What waits moves to where this version looks for it. What an older relay publishes meanwhile goes out once more. */
export const eventsByName: MigrationStep = {
  title: 'events and changes that wait in an email go by name',
  parts: [
    rewrite<Email>({
      collection: 'emails',
      reads: ['mailboxId'],
      whileSame: [
        'owed',
        'hasOwed',
        'owedToProvider',
        'outbox',
        'owedSince',
        'providerChanges',
        'providerChangesSince',
      ],
      atOnce: 500,
      *updates(emails) {
        for (const email of emails) {
          const change = { ...eventsOf(email), ...changesOf(email) };
          if (Object.keys(change).length > 0) yield { document: email, change: { $set: change } };
        }
      },
    }),
  ],
};

function eventsOf(email: Email): Partial<Email> {
  const { owed = [], outbox } = email;
  const [oldest] = owed;
  if (!oldest) return {};
  const moved: Outbox = Object.fromEntries(owed.map((event) => encoded(email, event)));
  return { owed: [], hasOwed: false, outbox: { ...moved, ...outbox }, owedSince: oldest.occurredAt };
}

function encoded({ workspaceId, mailboxId }: Email, { id, type, occurredAt, data: stored }: OldEvent) {
  const [name, data] = named(type, { mailboxId, ...stored });
  const value = Event.encode({ id, workspaceId, occurredAt: occurredAt.toISOString(), data }).finish();
  return [name, { id, type, key: mailboxId, occurredAt, value }] as const;
}

function named(type: OldEvent['type'], data: object): [string, Data] {
  if (type === 'email.received')
    return ['received', { $case: 'emailReceived', value: EmailReceived.fromPartial(data) }];
  if (type === 'email.deleted') return ['deleted', { $case: 'emailDeleted', value: EmailDeleted.fromPartial(data) }];
  if (type === 'label.applied') {
    const value = LabelApplied.fromPartial(data);
    return [`applied:${value.tagId}`, { $case: 'labelApplied', value }];
  }
  const value = EmailUpdated.fromPartial(data);
  return [value.changes?.isRead === undefined ? 'isStarred' : 'isRead', { $case: 'emailUpdated', value }];
}

function changesOf({ owedToProvider = [], providerChanges, providerChangesSince }: Email): Partial<Email> {
  if (owedToProvider.length === 0) return {};
  const moved: ProviderChanges = {};
  for (const { id, isRead, isStarred, folderId } of owedToProvider) {
    if (isRead !== null) moved.isRead = { id, to: isRead };
    if (isStarred !== null) moved.isStarred = { id, to: isStarred };
    if (folderId !== null) moved.folderId = { id, to: folderId };
  }
  return {
    owedToProvider: [],
    providerChanges: { ...moved, ...providerChanges },
    providerChangesSince: providerChangesSince ?? LONG_AGO,
  };
}
