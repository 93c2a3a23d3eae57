import type { Event } from '@postroom/proto/postroom/v1/events';

type Data = NonNullable<Event['data']>;
type Case = Data['$case'];
type DataIn<C extends Case> = Extract<Data, { $case: C }>['value'];

/** The broker creates a topic with these settings. Partitions limit the number of consumers, so there are many. */
interface TopicSettings {
  partitions: number;
  retentionMs: number;
}

interface Kind<D, G extends string = string> {
  /** Where the proto keeps the data of such an event. */
  case: Case;
  wrap: (data: D) => Data;
  /** Events with the same key are delivered in the order of their publication. */
  key: (data: D) => string;
  topic: TopicSettings;
  /** The groups that handle it. Without a broker, an event stays in its outbox until each group has handled it. */
  groups: readonly G[];
}

const DAY_MS = 86_400_000;
/** A week is longer than any outage that nobody notices. MongoDB has the data for a longer time. */
const week: TopicSettings = { partitions: 12, retentionMs: 7 * DAY_MS };

const byMailbox = ({ mailboxId }: { mailboxId: string }): string => mailboxId;

function kind<C extends Case, G extends string = never>(
  name: C,
  key: (data: DataIn<C>) => string,
  topic: TopicSettings,
  groups: readonly G[] = [],
): Kind<DataIn<C>, G> {
  return { case: name, wrap: (value) => ({ $case: name, value }) as Data, key, topic, groups };
}

/** All events. The type of an event is also its topic name. A new event is a message in the proto and a line here. */
const table = {
  'email.received': kind('emailReceived', byMailbox, week, ['classifier', 'changes']),
  'email.created': kind('emailCreated', byMailbox, week, ['changes']),
  'email.updated': kind('emailUpdated', byMailbox, week, ['changes']),
  'email.moved': kind('emailMoved', byMailbox, week, ['changes']),
  'email.deleted': kind('emailDeleted', byMailbox, week, ['changes']),
  'email.removed': kind('emailRemoved', byMailbox, week, ['changes']),
  'email.classified': kind('emailClassified', byMailbox, week, ['forwarder']),
  'label.applied': kind('labelApplied', byMailbox, week, ['changes']),
  'label.removed': kind('labelRemoved', byMailbox, week, ['changes']),
  'delivery.reported': kind('deliveryReported', byMailbox, week, ['outbound-send']),
  'draft.sent': kind('draftSent', byMailbox, week, ['changes']),
  'mailbox.sync_failed': kind('mailboxSyncFailed', byMailbox, week, ['changes']),
  'backfill.requested': kind('backfillRequested', byMailbox, week, ['classifier']),
};

export type EventType = keyof typeof table;
/** The data of an event, as the contract calls what is particular to its type. */
export type DataOf<T extends EventType> = (typeof table)[T] extends Kind<infer D> ? D : never;
export type GroupOf<T extends EventType> = (typeof table)[T]['groups'][number];

/** The same table by type, so that the functions of a type are known to the compiler. */
export const eventTable: { readonly [T in EventType]: Kind<DataOf<T>> } = table;

export const eventTypes = Object.keys(table) as EventType[];

export function isEventType(name: string): name is EventType {
  return Object.hasOwn(table, name);
}
