import type { EncodedEvent } from '../event.ts';

/** A document that owes events. */
export interface OutboxEntry {
  ownerId: string;
  /** Under each name at most one: what is owed under the same name again takes the place of what was. */
  events: Readonly<Record<string, EncodedEvent>>;
  /** Of what happened in one moment the lower came first. */
  order?: number;
}

/** One event of one document. */
export interface PendingEvent {
  ownerId: string;
  name: string;
  event: EncodedEvent;
  order: number;
}

/**
 * The documents of one collection that owe events, as the relay needs them. An event that was just written belongs to
 * the process that wrote it; left untouched for a while, it belongs to whoever claims its document first.
 */
export interface OutboxStore {
  /** Of the collection, for whoever watches. */
  name: string;
  /** How many documents owe events now, counted up to a limit. */
  count(limit: number): Promise<number>;
  /** The longest untouched, of one moment by their order, each to one caller only: they count as touched now. */
  claim(untouchedSince: Date, now: Date, limit: number): Promise<OutboxEntry[]>;
  /** Nobody claims them before this moment and a lease. */
  touch(ownerIds: readonly string[], until: Date): Promise<void>;
  /** Documents that were touched for a time after now: a process that is gone held them, so they count as untouched. */
  release(now: Date, untouchedSince: Date): Promise<void>;
  /** Takes the events off their documents, but never one that has taken the place of a published one since. */
  settle(published: readonly PendingEvent[]): Promise<void>;
}
